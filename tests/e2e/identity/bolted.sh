# A binary that llvm-bolt reordered, with updated debug information.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt"
binary=bolted

make_subject() {
  build -Wl,--emit-relocs
  record first.perf ./prog
  "$llvm/perf2bolt" -p first.perf -o first.fdata prog > bolt.log 2>&1
  "$llvm/llvm-bolt" prog -o bolted -data=first.fdata -reorder-blocks=ext-tsp -reorder-functions=cdsort \
    -split-functions -update-debug-sections >> bolt.log 2>&1
  record prog.perf ./bolted
  ask_profgen
}

with_subject
same_as_profgen
