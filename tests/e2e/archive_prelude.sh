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
# A recording of `server`, and the profile of it that `unstripped` gives: server.perf, expected.proftext.
record_server() {
  "$pgo" record --engine emulate --period 31 -o server.perf -- ./server > record.log 2>&1 ||
    skip "cannot record under emulation: $(tail -n 1 record.log)"
  "$pgo" convert server.perf --binary unstripped -o llvm-text:expected.proftext 2> convert.log
}
# Converts it with the files that an archive has.
check_binary_from() { # ARCHIVE
  "$pgo" convert server.perf --binary-from "$1" -o llvm-text:by_id.proftext 2> convert.log ||
    { cat convert.log; fail "does not convert with $1"; }
  cmp expected.proftext by_id.proftext
  grep -F "pgo: build $build_id: the executable is $1" convert.log
  grep -F "pgo: build $build_id: the debug file is $1" convert.log
}
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
    [[ $error == *", but other contents; it was not replaced"* ]] || fail "round $round: $error"
  done
}
