# For teams that migrate: an installed reference tool behind the same command, and both beside each other.
. "$(dirname "$0")/../perturbed_recording.sh"

"$pgo" convert plain.perf --binary "$subject_prog" --with llvm-profgen -o llvm-text:engine.text
ask_profgen_of plain.perf reference.text
same reference.text engine.text

"$pgo" convert plain.perf --binary "$subject_prog" --compat=llvm-profgen --check-against llvm-profgen \
  -o llvm-text:checked.text > same.log 2>&1
same reference.text checked.text

# A child that llvm-profgen does not know: what differs is printed, and the answer is no.
awk '/^sample/ && !done++ { print "fork pid=101 parent=100 time=" NR * 1000 - 1 }
  /^sample/ { if (NR % 2) sub(/pid=100/, "pid=101") } { print }' plain.txt | recording_from_text forked.perf
status=0
"$pgo" convert forked.perf --binary "$subject_prog" --check-against llvm-profgen -o llvm-text:ours.text \
  > different.log 2>&1 || status=$?
[ "$status" = 1 ] || { cat different.log; fail "exit status $status for profiles that differ"; }
# The function that calls all others has the largest difference.
grep '^  _Z14rounds_of_worki  total: .* here, .* there' different.log > /dev/null ||
  { cat different.log; fail "the difference is not shown"; }
grep "^pgo: differs from .*llvm-profgen: [0-9]* of [0-9]* counts differ" different.log > /dev/null
