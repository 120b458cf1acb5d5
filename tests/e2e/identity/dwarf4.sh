# DWARF 4, position independent.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -gdwarf-4
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
