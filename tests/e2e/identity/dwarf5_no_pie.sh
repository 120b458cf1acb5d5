# DWARF 5, at a fixed address.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -gdwarf-5 -no-pie -fno-pie
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
