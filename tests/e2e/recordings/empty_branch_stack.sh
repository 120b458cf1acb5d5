# The first sample after the maps has no branches (interrupts do that). llvm-profgen then takes the
# file for one with call stacks and finds nothing in it.
. "$(dirname "$0")/../perturbed_recording.sh"

awk '/^sample/ && !done++ {
    split($3, time, "=")
    print "sample pid=100 time=" time[2] - 1 " ip=0x1000 branches="
  }
  { print }' plain.txt > rare.txt
recording_from_text rare.perf < rare.txt

unchanged rare.perf
profgen_loses rare.perf
compat_gives_up rare.perf
