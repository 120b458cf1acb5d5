# Beside the bursts, each period of CPU time gives a PC sample, so that all samples together weigh what the program ran:
# also of threads that run when it ends, of children, and of code without branches.
. "$(dirname "$0")/../prelude.sh"
need gcc perf

cat > clock.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
static void burn(double until) {
  volatile unsigned long x = 1;
  while (seconds(CLOCK_THREAD_CPUTIME_ID) < until)
    for (int i = 0; i < 20000; i++) x = x * 6364136223846793005u + 1;
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
    const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + 2;
    unsigned long x = 1;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
      for (int i = 0; i < 100; i++) {
#define FOUR(x) x x x x
        FOUR(FOUR(FOUR(FOUR(FOUR(__asm__ volatile("imul $3, %0, %0" : "+r"(x));)))))
      }
  }
  return 0;
}
END
gcc -O1 -pthread clock.c -o clock

# weighs HOW SECONDS OPTION...: the samples of a run weigh so much, less what a loaded machine may miss.
weighs() {
  local how=$1 seconds=$2
  shift 2
  "$pgo" record --engine step "$@" -o "$how.data" -- ./clock "$how" 2> log || { cat log; fail "$how: exit code $?"; }
  perf script -i "$how.data" -F comm,period 2> perf.log | awk -v expected="$seconds" '/clock/ { sum += $NF }
    END { sum /= 1e9; printf "%.2f of %s seconds\n", sum, expected; exit !(sum > .75 * expected && sum < 1.25 * expected) }' ||
    { cat log; fail "$how: the samples weigh too much, or too little"; }
}
weighs threads 2
weighs children 2
# Nearly all bursts end without a branch.
weighs straight 2 --overhead 50 --period 20000003
