# Pseudo probes of vectorized and unrolled loops: copies of a block add up.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"

make_subject() {
  build -O3 -mavx2 -funroll-loops -mllvm -inline-threshold=3000
  record prog.perf ./prog
  ask_profgen
}

with_subject
by_probe
same_as_profgen
