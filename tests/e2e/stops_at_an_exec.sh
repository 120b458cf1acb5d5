# After exec a process has none of its old maps: samples at the same addresses are another program's.
. "$(dirname "$0")/rarity.sh"

half=$(($(wc -l < plain.txt) / 2))
time=$(sed -n "$((half + 1))s/.*time=\([0-9]*\).*/\1/p" plain.txt)
{
  head -n "$half" plain.txt
  echo "comm pid=100 time=$((time - 1)) exec=1 name=other"
  tail -n "+$((half + 1))" plain.txt
} | recording_from_text rare.perf
head -n "$half" plain.txt | recording_from_text early.perf

profile early.perf early.text
profile rare.perf rare.text
same early.text rare.text
