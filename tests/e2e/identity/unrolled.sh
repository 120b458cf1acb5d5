# Discriminators of unrolled and vectorised loops carry a factor by which counts are multiplied.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -O3 -mavx2 -funroll-loops
  llvm-objdump-22 -d prog | grep ymm > /dev/null
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
