# Two processes of one binary live at once, loaded at different addresses. llvm-profgen has one load
# address for all and loses the samples of the other process.
. "$(dirname "$0")/../perturbed_recording.sh"

grep -v '^sample' plain.txt > rare.txt
echo "shift by=0x7000000" >> rare.txt
grep '^mmap2' plain.txt | sed 's/pid=100/pid=200/' >> rare.txt
awk '/^sample/ && NR % 2' plain.txt | sed 's/pid=100/pid=200/' >> rare.txt
echo "shift by=0" >> rare.txt
awk '/^sample/ && NR % 2 == 0' plain.txt >> rare.txt
recording_from_text rare.perf < rare.txt

unchanged rare.perf
profgen_loses rare.perf
compat_as_profgen rare.perf
