# A stripped library has names for what others may call (.dynsym), and, as Fedora strips, for the rest (.gnu_debugdata).
# Compiler profiles need more, and refuse it.
. "$(dirname "$0")/../prelude.sh"
need clang-22 nm objcopy strip xz python3

cat > doors.c <<'CODE'
__attribute__((noinline)) static int turn_key(int x) { return x % 3 == 0 ? x * 7 : x + 1; }
int open_door(int x) { return turn_key(x) + turn_key(x + 1); }
CODE
clang-22 -O2 -shared -fPIC -Wl,--build-id doors.c -o whole.so
strip -o stripped.so whole.so
python3 "$here/address_pprof.py" whole.so own.pb own

named() {  # named LIBRARY: the functions of its samples, in LIBRARY.names
  "$pgo" convert own.pb --binary "$1" -o "$1.pb.gz" 2> convert.log || { cat convert.log; fail "cannot name $1"; }
  python3 "$here/pprof_samples.py" "$1.pb.gz" > "$1.names"
}
named stripped.so
grep -q open_door stripped.so.names || { cat stripped.so.names; fail "no names by .dynsym"; }
! grep -q turn_key stripped.so.names || fail "a name from nowhere"
"$pgo" diff own.pb own.pb --binary stripped.so > diff.txt 2> diff.log || { cat diff.log; fail "cannot compare"; }
grep -q ' open_door$' diff.txt || { cat diff.txt; fail "no names in the comparison"; }

# As Fedora makes it: symbols of functions that .dynsym has not.
nm -D --defined-only --format=posix whole.so | cut -d ' ' -f 1 | sort > dynamic
nm --defined-only --format=posix whole.so | awk '$2 ~ /[Tt]/ { print $1 }' | sort > functions
comm -13 dynamic functions > wanted
objcopy --only-keep-debug whole.so debug
objcopy -S --keep-symbols=wanted debug mini
xz mini
objcopy --add-section .gnu_debugdata=mini.xz stripped.so fedora.so
named fedora.so
named whole.so
cmp whole.so.names fedora.so.names || fail "other names than those of the symbol table"

for library in stripped.so fedora.so; do
  status=0
  "$pgo" convert own.pb --binary "$library" -o refused.prof 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit code $status for a profile of $library"
  grep -qF "$library: is stripped: it has no symbol table, so its code cannot be found" refused.log ||
    { cat refused.log; fail "another refusal"; }
done
