# Deep inline stacks, lambdas, and statics with unique names.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -O3 -mllvm -inline-threshold=3000 -funique-internal-linkage-names
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
