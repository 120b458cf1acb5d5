# Memory that runs out ends a command with a line that says so, not with a crash.
. "$(dirname "$0")/../prelude.sh"

{ yes 'T 10 20 30 1' || true; } | head -n 8000000 > many.preagg
limited() { (ulimit -v 500000 && "$pgo" "$@"); }
limited --version > version 2>&1 || skip "this build of pgo needs more than 500 MB to start"

# ends COMMAND...: says why, and writes nothing.
ends() {
  local status=0
  limited "$@" > out 2> error || status=$?
  [ $status -eq 2 ] || { cat error; fail "exit status $status of $*"; }
  [ ! -s out ]
  [ "$(cat error)" = "pgo: error: stopped: std::bad_alloc" ] || { cat error; fail "another error of $*"; }
}

ends show many.preagg

# In a thread of its own.
echo 'int main() { return 0; }' > main.c
cc -Wl,--build-id main.c -o prog
cp many.preagg more.preagg
ends convert -j2 many.preagg more.preagg --binary prog -o out.preagg
[ ! -e out.preagg ]
rm many.preagg more.preagg
