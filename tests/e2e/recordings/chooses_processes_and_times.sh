# --pid, --comm and --time leave what a recording of that part alone would give.
. "$(dirname "$0")/../perturbed_recording.sh"

half=$(($(wc -l < plain.txt) / 2))
first=$(sed -n "${half}s/.*time=\([0-9]*\).*/\1/p" plain.txt)
{ grep '^event\|^mmap2' plain.txt; tail -n "+$half" plain.txt | grep '^sample'; } | recording_from_text late.perf
profile late.perf late.text

{
  grep '^event' plain.txt
  echo "comm pid=100 time=1 name=early"
  echo "comm pid=200 time=1 name=late"
  grep '^mmap2' plain.txt
  grep '^mmap2' plain.txt | sed 's/pid=100/pid=200/'
  grep '^sample' plain.txt | awk -v first="$first" -F'time=| ip=' '{ if ($2 >= first) sub(/pid=100/, "pid=200"); print }'
} > rare.txt
recording_from_text rare.perf < rare.txt

unchanged rare.perf
profile rare.perf pid.text --pid 200
same late.text pid.text
profile rare.perf comm.text --comm late
same late.text comm.text
profile rare.perf time.text --time "$(awk -v t="$first" 'BEGIN { printf "%.9f", t / 1e9 }'),"
same late.text time.text
