# A recording that ends early, as after a full disk or a crash, gives what is whole in it and says so.
. "$(dirname "$0")/../perturbed_recording.sh"

half=$(($(wc -l < plain.txt) / 2))
head -n "$half" plain.txt | recording_from_text whole.perf
profile whole.perf whole.text
# Cut inside the first record that is not in whole.perf. The header still promises all of it.
head -c "$(($(wc -c < whole.perf) + 20))" plain.perf > cut.perf
profile cut.perf cut.text
same whole.text cut.text
[ "$(grep -c "cut.perf: perf did not finish\|cut.perf: .*the records before it are used" convert.log)" = 1 ] ||
  { cat convert.log; fail "warns twice of one file"; }
! grep "more of this kind" convert.log || fail "one file counts as several"
grep -i "truncated\|ends early\|cut" convert.log > /dev/null || { cat convert.log; fail "says nothing of the rest"; }
