# The binary is loaded again at another address half-way: each sample belongs to the map of its time.
. "$(dirname "$0")/../perturbed_recording.sh"

half=$(($(wc -l < plain.txt) / 2))
{
  head -n "$half" plain.txt
  echo "shift by=0x7000000"
  time=$(tail -n "+$((half + 1))" plain.txt | sed -n '1s/.*time=\([0-9]*\).*/\1/p')
  grep "^mmap2.*/prog\$" plain.txt | sed "s/time=[0-9]*/time=$((time - 1))/"
  tail -n "+$((half + 1))" plain.txt
} > rare.txt
recording_from_text rare.perf < rare.txt

unchanged rare.perf
compat_as_profgen rare.perf
perf2bolt_loses rare.perf
