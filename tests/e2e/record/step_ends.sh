# When a process ends by itself through the C library, the PC samples that wait for a burst are in the recording,
# once: a child that no handler of fork() has prepared has a copy of them, and does not hand it over.
. "$(dirname "$0")/../prelude.sh"
need gcc perf

cat > ends.c <<'END'
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Prints its CPU time. The kernel looks at timers of CPU time when it interrupts a thread, on a loaded machine seldom; so
// this ends when it has looked five times. No burst begins at these instructions, so all samples wait, up to 24.
static void burn(void) {
  const struct itimerval often = {{0, 20000}, {0, 20000}};
  const struct timespec none = {0, 0};
  struct timespec begin, end;
  sigset_t looks;
  sigemptyset(&looks);
  sigaddset(&looks, SIGPROF);
  sigprocmask(SIG_BLOCK, &looks, NULL);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  setitimer(ITIMER_PROF, &often, NULL);
  for (int times = 0; times < 5;) {
    for (int i = 0; i < 1000; i++) __asm__ volatile(".rept 64\n pushfq\n popfq\n .endr" ::: "memory", "cc");
    times += sigtimedwait(&looks, NULL, &none) == SIGPROF;
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  dprintf(1, "%.3f\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
}

static void filter_calls(void) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
  struct sock_fprog filter = {sizeof program / sizeof program[0], program};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void* burn_in_thread(void* silent) {
  if (silent) close(1);
  burn();
  return NULL;
}

static void end_by(const char* way, int is_prepared) {
  if (strcmp(way, "exit") == 0) exit(0);
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "quick_exit") == 0) quick_exit(0);
  if (strcmp(way, "exit_group") == 0) syscall(SYS_exit_group, 0);
  if (strcmp(way, "last_thread") == 0) syscall(SYS_exit, 0);
  if (strcmp(way, "filter") == 0) {
    filter_calls();
    exit(0);
  }
  if (strcmp(way, "thread") == 0) {
    pthread_create(&(pthread_t){0}, NULL, burn_in_thread, is_prepared ? NULL : "silent");
    pthread_exit(NULL);
  }
  abort();
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int is_prepared = strcmp(argv[1], "fork") == 0;
  if (!is_prepared) burn();
  for (int i = 0; i < 3; i++) {
    const pid_t child = is_prepared ? fork() : argv[1][0] == 'v' ? vfork() : _Fork();
    if (child == 0) {
      if (is_prepared) burn();
      end_by(argv[2], is_prepared);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  return 0;
}
END
gcc -O1 -mno-red-zone -pthread ends.c -o ends

# weighs FORK WAY: the samples of a run weigh as much as the CPU time that it prints, but for 20 ms of each process.
weighs() {
  "$pgo" record --engine step --period 20000003 -o ends.data -- ./ends "$1" "$2" > seconds 2> log ||
    { cat log; fail "$1, $2: exit code $?"; }
  perf script -i ends.data -F period 2> perf.log | awk 'NR == FNR { seconds += $1; next } { sum += $1 / 1e9 }
    END { printf "%.2f of %.2f seconds\n", sum, seconds; exit !(sum > .4 * seconds && sum < 1.1 * seconds) }' seconds - ||
    { cat log; fail "$1, $2: the samples weigh too much, or too little"; }
}
for way in exit _exit quick_exit exit_group last_thread filter thread; do weighs fork $way; done
# The children give no samples, neither of their own nor of the parent's again.
for way in exit _exit exit_group last_thread filter thread; do
  weighs _Fork $way
  ! grep 'is not recorded any further' log || fail "$way: the parent seems to have stopped"
done
# A child of vfork() shares the memory of its parent. It may hand over the parent's samples; then the parent does not.
weighs vfork _exit
