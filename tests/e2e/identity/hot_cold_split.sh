# Outlined cold code is a function of its own without debug information of its own.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -mllvm -hot-cold-split=true -mllvm -hotcoldsplit-threshold=-10
  nm prog | grep "\.cold" > /dev/null
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
