# A server that forks is recorded whole, in one file: its children have their own process ids, start
# with a FORK record, and keep their samples even when they close every descriptor or are killed.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf gcc

cat > server.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned collatz(unsigned long n) {
  unsigned steps = 0;
  for (; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

int main(void) {
  for (int child = 0; child < 3; child++) {
    if (fork() != 0) continue;
    if (child == 1) close_range(0, ~0u, 0);  // as daemons do
    unsigned total = 0;
    for (unsigned i = 1; i < 3000; i++) total += collatz(i);
    if (child == 2) raise(SIGKILL);
    _exit((int)(total & 1));
  }
  int killed = 0;
  for (int status; wait(&status) > 0;) killed += WIFSIGNALED(status);
  printf("%d killed\n", killed);
}
END
gcc -O1 -Wl,--build-id server.c -o server
"$pgo" record --engine emulate --period "$(period 997)" -o perf.data -- ./server > out.txt 2> record.log
grep -qx '1 killed' out.txt
grep -q ' samples from 4 threads in 4 processes;' record.log

perf script -i perf.data --show-task-events --show-mmap-events --ns -F pid,time,ip,brstack > all.txt
server=$(awk 'NR == 1 { print $1 }' all.txt)
[ "$(grep -c "PERF_RECORD_FORK(.*):($server:$server)" all.txt)" -eq 3 ]
grep -c 'PERF_RECORD_EXIT' all.txt | grep -qx 3  # nobody sees the killed one go
# Every process is announced before its first sample, and each took about the same branches.
awk '
  /FORK/ { announced[$1] = 1 }
  /COMM exec/ { announced[$1] = 1 }
  /PERF_RECORD/ { next }
  !announced[$1] { print "a sample of " $1 " before its FORK"; exit 1 }
  { samples[$1]++ }
  END { for (pid in samples) print samples[pid] }' all.txt | sort -n > samples.txt
[ "$(wc -l < samples.txt)" -ge 3 ]
tail -n 3 samples.txt | awk 'NR == 1 { least = $1 } END { exit !($1 >= 50 && least * 10 >= $1 * 9) }' ||
  { cat samples.txt; fail "a child has lost its samples"; }
[ "$(ls)" = "$(printf '%s\n' all.txt out.txt perf.data record.log samples.txt server server.c)" ]
