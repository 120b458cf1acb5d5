# llvm-bolt writes pseudo probes anew, for the code as it has moved it: a BOLTed binary needs neither debug
# information nor its input to give a compiler's profile.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"
need "$llvm/llvm-bolt"
binary=bolted

make_subject() {
  build -Wl,--emit-relocs
  record first.perf ./prog
  "$llvm/perf2bolt" -p first.perf -o first.fdata prog > bolt.log 2>&1
  "$llvm/llvm-bolt" prog -o bolted -data=first.fdata -reorder-blocks=ext-tsp -reorder-functions=cdsort \
    -split-functions -enable-bat >> bolt.log 2>&1
  if llvm-readelf-22 -SW bolted | grep '\.debug_info'; then return 1; fi
  record prog.perf ./bolted
  ask_profgen
}

with_subject
by_probe
same_as_profgen
