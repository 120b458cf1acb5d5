# GNU objcopy numbers the sections of a debug file anew when the binary kept its relocations (for BOLT).
# A stripped binary with such a debug file gives the same profile as the whole one.
. "$(dirname "$0")/../oracle.sh"
need objcopy strip

make_subject() {
  build -Wl,--emit-relocs
  record prog.perf ./prog
  objcopy --only-keep-debug prog prog.debug
  strip -o stripped prog
}

with_subject
section() { readelf -SW "$1" | sed -n "s/^ *\\[ *\\([0-9]*\\)\\] \\.text .*/\\1/p"; }
[ "$(section prog.debug)" != "$(section stripped)" ] || skip "this objcopy keeps the numbers of sections"

"$pgo" convert prog.perf --binary prog -o "llvm-text:$work/whole.text"
"$pgo" convert prog.perf --binary stripped --debug-file prog.debug -o "llvm-text:$work/split.text"
same "$work/whole.text" "$work/split.text"
