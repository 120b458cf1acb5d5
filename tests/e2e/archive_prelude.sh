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
