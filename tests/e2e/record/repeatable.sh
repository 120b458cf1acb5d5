# Two recordings of one single-threaded program differ in the process id and in nothing else: the
# emulated processor has no clock, no interrupts and no random addresses. sort's buffer has a fixed size: otherwise it
# depends on how much memory is free.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf

for run in 1 2; do
  "$pgo" record --engine emulate --period "$(period 89)" -o perf.data -- sort -S 1M "$here/prelude.sh" > sorted.txt 2> log
  perf script -i perf.data --show-mmap-events --show-task-events --ns -F time,ip,brstack |
    sed -E 's/[0-9]+\/[0-9]+: /PID: /; s/\([0-9]+:[0-9]+\):\([0-9]+:[0-9]+\)/(PIDS)/; s/:[0-9]+\/[0-9]+$/:PID/' > run$run.txt
done
[ "$(wc -l < run1.txt)" -gt 100 ]
diff run1.txt run2.txt
