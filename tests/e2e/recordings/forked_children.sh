# A child that was forked has its parent's maps and no records of its own about them. llvm-profgen only
# listens to processes that have such records.
. "$(dirname "$0")/../perturbed_recording.sh"

grep -v '^sample' plain.txt > rare.txt
echo "fork pid=101 parent=100 time=$(awk -F'time=| addr' '/^mmap2/ { t = $2 } END { print t + 1 }' plain.txt)" >> rare.txt
awk '/^sample/ { if (NR % 2) sub(/pid=100/, "pid=101"); print }' plain.txt >> rare.txt
recording_from_text rare.perf < rare.txt

unchanged rare.perf
profgen_loses rare.perf
compat_as_profgen rare.perf
