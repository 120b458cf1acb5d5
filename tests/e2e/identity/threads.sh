# Three threads of one process, recorded for real: each has branch stacks of its own.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  clang++-22 $debug -fuse-ld=lld -pthread "$programs"/{shapes,work,threads}.cc -o prog
  record prog.perf ./prog
  [ "$(perf script -F tid -i prog.perf 2> perf.log | sort -u | wc -l)" -ge 3 ]
  ask_profgen
  ask_perf2bolt
  # Mixed-up stacks show as ranges that no processor can run.
  if grep 'of samples are from ranges that' profgen.log | grep -vE '0\.[0-9]*%'; then return 1; fi
}

with_subject
same_as_profgen
same_as_perf2bolt
