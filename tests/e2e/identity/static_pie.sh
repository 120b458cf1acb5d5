# A static binary that relocates itself: its recording has the binary's map only.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -static-pie
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
