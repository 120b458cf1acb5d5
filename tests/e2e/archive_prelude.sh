# Sourced by tests of `pgo archive` after prelude.sh: a release, which is the stripped `server` and its `server.debug`;
# `unstripped` is what they were made from.
need clang-22 llvm-objcopy-22 llvm-strip-22 llvm-readelf-22

cat > server.c <<'SOURCE'
static int __attribute__((noinline)) step(int x) { return x % 3 == 0 ? x * 7 : x + 1; }
int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 100000; i++) sum += (unsigned)step(i);
  return sum == 0;
}
SOURCE
clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 server.c -o unstripped
build_id=$(llvm-readelf-22 -n unstripped | sed -n 's/.*Build ID: //p')
llvm-objcopy-22 --only-keep-debug unstripped server.debug
llvm-strip-22 unstripped -o server
llvm-objcopy-22 --add-gnu-debuglink=server.debug server

expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}
# archive ARGUMENT...: what it says is in `log`.
archive() { "$pgo" archive "$@" > text 2> log || { cat log; fail "cannot archive $*"; }; }
# Two jobs at once with other bytes of one build: whatever their order, one archives, and the other gets an error.
check_two_jobs() { # ARCHIVE, of which each round has one
  local round first second error
  cp server changed
  printf 'x' >> changed
  for round in 1 2 3 4 5 6; do
    first=0 second=0
    "$pgo" archive server --to "$1$round" > first.text 2> first.log & local job=$!
    "$pgo" archive changed --to "$1$round" > second.text 2> second.log || second=$?
    wait $job || first=$?
    expect "exit codes of round $round" 2 $((first + second))
    error=$(grep -h "error: " first.log second.log)
    [[ $error == *"the archive has another file of this build"* ]] || fail "round $round: $error"
  done
}
