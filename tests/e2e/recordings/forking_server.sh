# A server that forks its workers, recorded for real. llvm-profgen knows the parent only; perf2bolt and we
# know the children by their FORK records.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  clang++-22 $debug -fuse-ld=lld "$programs"/{shapes,work,server}.cc -o prog
  record prog.perf ./prog
  [ "$(perf script -F pid -i prog.perf 2> perf.log | sort -u | wc -l)" -ge 3 ]
  ask_profgen
  ask_perf2bolt
}

# function_total FILE NAME
function_total() { awk -F: -v name="$2" '$1 == name { print $2; found = 1 } END { if (!found) print 0 }' "$1"; }

with_subject
same_as_perf2bolt
"$pgo" convert prog.perf --binary prog --compat=llvm-profgen -o "llvm-text:$work/compat.text"
same reference.text "$work/compat.text"

"$pgo" convert prog.perf --binary prog -o "llvm-text:$work/ours.text"
[ "$(function_total reference.text _ZL8dispatchPKiS0_i)" -gt 0 ]
[ "$(function_total reference.text _Z14rounds_of_worki)" -eq 0 ]
[ "$(function_total "$work/ours.text" _Z14rounds_of_worki)" -gt 100000 ]
