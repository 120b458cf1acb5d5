# Beside the bursts, each period of CPU time gives a PC sample, so that all samples together weigh what the program ran:
# also of threads that run when it ends, of children, and of code without branches.
#
# The kernel looks at timers of CPU time when its clock ticks; a loaded machine ticks late. So the program counts by a
# timer of its own how much of its time the ticks have seen, and says so when it ends.
. "$(dirname "$0")/../prelude.sh"
need gcc perf

cat > clock.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
static long* seen;  // in nanoseconds, of all threads and children
static _Thread_local double ticked;
static void tick(int ignored) { ticked = seconds(CLOCK_THREAD_CPUTIME_ID); }
// Returns the timer, which begins at 0 in each thread.
static timer_t start_ticks(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2};
  event._sigev_un._tid = gettid();
  timer_t timer;
  signal(SIGUSR2, tick);
  timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
  timer_settime(timer, 0, &(struct itimerspec){{0, 4000000}, {0, 4000000}}, NULL);
  return timer;
}
static void stop_ticks(timer_t timer) {
  timer_delete(timer);
  __atomic_fetch_add(seen, (long)(ticked * 1e9), __ATOMIC_RELAXED);
  ticked = 0;
}
static void compute(double until) {
  volatile unsigned long x = 1;
  while (seconds(CLOCK_THREAD_CPUTIME_ID) < until)
    for (int i = 0; i < 20000; i++) x = x * 6364136223846793005u + 1;
}
static void burn(double until) {
  const timer_t timer = start_ticks();
  compute(until);
  stop_ticks(timer);
}
static int left;
static void* work(void* ignored) {
  burn(.25);
  __atomic_fetch_sub(&left, 1, __ATOMIC_RELEASE);
  for (;;) pause();
  return ignored;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (strcmp(how, "threads") == 0) {  // that still run at the end
    left = 8;
    for (int i = 0; i < 8; i++) pthread_create(&(pthread_t){0}, NULL, work, NULL);
    while (__atomic_load_n(&left, __ATOMIC_ACQUIRE)) usleep(1000);
  } else if (strcmp(how, "children") == 0) {
    burn(.2);
    for (int i = 0; i < 6; i++) {
      const pid_t child = fork();
      if (child == 0) {
        burn(.3);
        if (i % 2) _exit(0);
        exit(0);
      }
      waitpid(child, NULL, 0);
    }
  } else if (strcmp(how, "straight") == 0) {
    const timer_t timer = start_ticks();
    const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + 2;
    unsigned long x = 1;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
      for (int i = 0; i < 100; i++) {
#define FOUR(x) x x x x
        FOUR(FOUR(FOUR(FOUR(FOUR(__asm__ volatile("imul $3, %0, %0" : "+r"(x));)))))
      }
    stop_ticks(timer);
  }
  dprintf(1, "%.3f\n", (double)*seen / 1e9);
  return 0;
}
END
gcc -O1 -pthread clock.c -o clock

# weighs HOW OPTION...: the samples of a run weigh what its own ticks saw.
weighs() {
  local how=$1
  shift
  "$pgo" record --engine step "$@" -o "$how.data" -- ./clock "$how" > seen 2> log || { cat log; fail "$how: exit code $?"; }
  perf script -i "$how.data" -F comm,period 2> perf.log | awk -v expected="$(cat seen)" '/clock/ { sum += $NF }
    END { sum /= 1e9; printf "%.2f of %s seconds\n", sum, expected; exit !(sum > .85 * expected && sum < 1.15 * expected) }' ||
    { cat log; fail "$how: the samples weigh too much, or too little"; }
}
weighs threads
weighs children
# Nearly all bursts end without a branch.
weighs straight --overhead 50 --period 20000003
