# Pseudo probes through ThinLTO, whose promoted functions have symbols of another name (.llvm.123).
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"

make_subject() {
  build -O3 -flto=thin
  nm prog | grep "\.llvm\." > /dev/null
  record prog.perf ./prog
  ask_profgen
}

with_subject
by_probe
same_as_profgen
