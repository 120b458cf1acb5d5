# A program under single steps sees its signals as it would without: its own handlers, masks, waits and jumps. What
# would be dangerous ends the stepping: a SIGTRAP that is blocked or handled while a thread is stepped kills it.
. "$(dirname "$0")/../prelude.sh"
need gcc

cat > signals.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned long random_bits = 1;
static void burn(int rounds) {
  for (int i = 0; i < rounds; i++) {
    random_bits ^= random_bits << 13;
    random_bits ^= random_bits >> 7;
    random_bits ^= random_bits << 17;
    if (random_bits & 3) __asm__ volatile("");
  }
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void* burn_for_long(void* stop) {
  while (!__atomic_load_n((int*)stop, __ATOMIC_RELAXED)) burn(1000);
  return NULL;
}

// Blocks all signals again and again: a trap in between would be the end.
static int masks(void) {
  sigset_t all, before;
  sigfillset(&all);
  while (cpu_seconds() < 0.3) {
    burn(100);
    sigprocmask(SIG_BLOCK, &all, &before);
    burn(100);
    sigprocmask(SIG_SETMASK, &before, NULL);
  }
  return 0;
}

// A timer's handler with all signals blocked leaves by siglongjmp, or forks, or just returns.
static sigjmp_buf start;
static volatile sig_atomic_t mode, alarms;
static void on_alarm(int signal) {
  (void)signal;
  alarms++;
  burn(1000);
  if (mode == 1) siglongjmp(start, 1);
  if (mode == 2 && alarms % 16 == 0) {
    pid_t child = fork();
    if (child == 0) {
      burn(1000000);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) _exit(9);
  }
}

static int handlers(void) {
  struct sigaction action = {.sa_handler = on_alarm};
  sigfillset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (mode = 0; mode < 3; mode++) {
    double until = cpu_seconds() + 0.15;
    sigsetjmp(start, 1);
    while (cpu_seconds() < until) burn(1000);
  }
  return 0;
}

// The program's own handler for SIGTRAP, while another thread is stepped.
static volatile sig_atomic_t traps;
static void on_trap(int signal, siginfo_t* info, void* context) {
  (void)context;
  traps += signal == SIGTRAP && (info->si_code == SI_TKILL || info->si_code > 0);
}

static int own_trap(void) {
  int stop = 0;
  pthread_t other;
  pthread_create(&other, NULL, burn_for_long, &stop);
  while (cpu_seconds() < 0.3) burn(1000);
  struct sigaction before, action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = on_trap;
  if (sigaction(SIGTRAP, NULL, &before) != 0 || before.sa_handler != SIG_DFL) return 1;
  if (signal(SIGTRAP, SIG_DFL) != SIG_DFL) return 2;
  if (sigaction(SIGTRAP, &action, &before) != 0 || before.sa_handler != SIG_DFL) return 3;
  while (cpu_seconds() < 0.4) burn(1000);
  if (traps != 0) return 9;
  raise(SIGTRAP);
  __asm__ volatile("int3");
  if (traps != 2) return 4;
  if (sigaction(SIGTRAP, NULL, &before) != 0 || before.sa_sigaction != on_trap) return 5;
  while (cpu_seconds() < 0.5) burn(1000);
  signal(SIGTRAP, SIG_IGN);
  raise(SIGTRAP);
  action.sa_flags |= (int)SA_RESETHAND;
  if (sigaction(SIGTRAP, &action, &before) != 0 || before.sa_handler != SIG_IGN) return 7;
  raise(SIGTRAP);
  if (sigaction(SIGTRAP, NULL, &before) != 0 || before.sa_handler != SIG_DFL) return 8;
  while (cpu_seconds() < 0.6) burn(1000);
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  pthread_join(other, NULL);
  return traps == 3 ? 0 : 6;
}

// SIGTRAP that is ignored, or comes from another process.
static int ignored_trap(void) {
  while (cpu_seconds() < 0.2) burn(1000);
  signal(SIGTRAP, SIG_IGN);
  for (int i = 0; i < 100; i++) {
    burn(10000);
    raise(SIGTRAP);
  }
  if (signal(SIGTRAP, SIG_DFL) != SIG_IGN) return 1;
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    usleep(200000);
    kill(parent, SIGTRAP);
    _exit(0);
  }
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = on_trap;
  sigaction(SIGTRAP, &action, NULL);
  traps = 0;
  while (waitpid(child, NULL, WNOHANG) == 0) burn(1000);
  return 0;
}

// Without a handler of its own, a breakpoint ends the program as ever.
static int breakpoint(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  pid_t child = fork();
  if (child == 0) {
    while (cpu_seconds() < 0.2) burn(1000);
    __asm__ volatile("int3");
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGTRAP ? 0 : 1;
}

// A thread that waits for any signal gets none that it would not get otherwise; the signal's number is free to use.
static sigset_t all;
static void* wait_for_any(void* unused) {
  (void)unused;
  for (;;) {
    burn(3000000);
    int got = 0;
    if (sigwait(&all, &got) != 0) return (void*)1;
    if (got == SIGUSR1) return NULL;
    if (got != SIGALRM) return (void*)(long)got;
  }
}

static int waits(void) {
  while (cpu_seconds() < 0.2) burn(1000);
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_any, NULL);
  for (int i = 0; i < 10; i++) {
    pthread_kill(waiter, SIGALRM);
    burn(3000000);
  }
  pthread_kill(waiter, SIGUSR1);
  void* answer;
  pthread_join(waiter, &answer);
  if (answer) return 1;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  static volatile sig_atomic_t caught;
  alarms = mode = 0;
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
    signal(number, on_alarm);
    raise(number);
    caught++;
  }
  return alarms == caught ? 0 : 2;
}

// System calls that a signal would interrupt, even with SA_RESTART, in a program that never expects one.
static int interruptions(void) {
  int events = epoll_create1(0), event = eventfd(0, 0), interrupted = 0;
  struct epoll_event watched = {.events = EPOLLIN};
  epoll_ctl(events, EPOLL_CTL_ADD, event, &watched);
  struct pollfd many[500];
  for (int i = 0; i < 500; i++) many[i] = (struct pollfd){event, POLLIN, 0};
  while (cpu_seconds() < 0.4) {
    burn(20000);
    struct timespec moment = {0, 20000};
    interrupted += nanosleep(&moment, NULL) != 0 && errno == EINTR;
    for (int i = 0; i < 20; i++) interrupted += poll(many, 500, i == 0) < 0 && errno == EINTR;
    interrupted += epoll_wait(events, &watched, 1, 1) < 0 && errno == EINTR;
    interrupted += select(0, NULL, NULL, NULL, &(struct timeval){0, 20}) < 0 && errno == EINTR;
  }
  return interrupted;
}

// Calls that wait with another mask, in a thread that blocks all signals otherwise: nothing that it does not expect
// interrupts them, and an alarm does.
int __ppoll_chk(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*, size_t);  // by _FORTIFY_SOURCE
int epoll_pwait2(int, struct epoll_event*, int, const struct timespec*, const sigset_t*) __attribute__((weak));

static void burn_for_15_ms(void) {
  const double until = cpu_seconds() + 0.015;
  while (cpu_seconds() < until) burn(1000);
}

static void set_alarm(void) {
  const struct itimerval soon = {{0, 0}, {0, 20000}};
  alarms = 0;
  setitimer(ITIMER_REAL, &soon, NULL);
}

static int masked_waits(void) {
  while (cpu_seconds() < 0.2) burn(1000);
  int events = epoll_create1(0), event = eventfd(0, 0);
  struct epoll_event watched = {.events = EPOLLIN};
  epoll_ctl(events, EPOLL_CTL_ADD, event, &watched);
  struct pollfd polled = {event, POLLIN, 0};
  const struct timespec none = {0, 0}, moment = {0, 1000000}, long_time = {60, 0};
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  sigset_t every, empty;
  sigfillset(&every);
  sigemptyset(&empty);
  sigprocmask(SIG_BLOCK, &every, NULL);
  for (int round = 0; round < 5; round++) {
    burn_for_15_ms();
    if (ppoll(&polled, 1, round ? &moment : &none, &empty) != 0) return 1;
    burn_for_15_ms();
    if (__ppoll_chk(&polled, 1, &moment, &empty, sizeof polled) != 0) return 2;
    burn_for_15_ms();
    if (pselect(0, NULL, NULL, NULL, &moment, &empty) != 0) return 3;
    burn_for_15_ms();
    if (epoll_pwait(events, &watched, 1, 1, &empty) != 0) return 4;
    burn_for_15_ms();
    if (epoll_pwait2 && epoll_pwait2(events, &watched, 1, &moment, &empty) != 0 && errno != ENOSYS) return 5;
    burn_for_15_ms();
    set_alarm();
    if (sigsuspend(&empty) != -1 || errno != EINTR || alarms != 1) return 6;
    burn_for_15_ms();
    set_alarm();
    if (ppoll(&polled, 1, &long_time, &empty) != -1 || errno != EINTR || alarms != 1) return 7;
    if (ppoll(&polled, 1, &moment, NULL) != 0) return 8;
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    for (int number = 1; number <= SIGRTMAX; number++)
      if (sigismember(&now, number) != sigismember(&every, number) && number != SIGKILL && number != SIGSTOP) return 9;
  }
  return 0;
}

// One that comes with a C library that has no epoll_pwait2().
static int lacks_epoll_pwait2(void) {
  while (cpu_seconds() < 0.1) burn(1000);
  errno = 0;
  return !(epoll_pwait2(-1, NULL, 0, NULL, NULL) == -1 && errno == ENOSYS);
}

// Handlers that run while the program waits for signals do the work.
static void work_on_alarm(int signal) {
  (void)signal;
  burn_for_15_ms();
}

static int suspended(void) {
  signal(SIGALRM, work_on_alarm);
  sigset_t empty;
  sigemptyset(&empty);
  sigset_t alarm_alone = empty;
  sigaddset(&alarm_alone, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarm_alone, NULL);
  while (cpu_seconds() < 0.4) {
    set_alarm();
    sigsuspend(&empty);
  }
  return 0;
}

// The program waits for a signal of the timer's number.
static int own_wait(void) {
  while (cpu_seconds() < 0.2) burn(1000);
  signal(SIGRTMAX - 3, on_alarm);
  sigset_t every, empty;
  sigfillset(&every);
  sigemptyset(&empty);
  sigprocmask(SIG_BLOCK, &every, NULL);
  burn_for_15_ms();
  alarms = 0;
  raise(SIGRTMAX - 3);
  const struct timespec moment = {0, 10000000};
  for (int i = 0; i < 100 && alarms == 0; i++) ppoll(NULL, 0, &moment, &empty);
  return alarms == 1 ? 0 : 1;
}

// From then on only read, write and exit are allowed.
static int strict(void) {
  pid_t child = fork();
  if (child == 0) {
    burn(20000000);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) syscall(SYS_exit, 3);
    burn(30000000);
    syscall(SYS_exit, 0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}

// A handler on an alternate stack of the usual size, of which it uses a part.
static void on_alternate_stack(int signal) {
  (void)signal;
  volatile char used[2500];
  used[0] = used[sizeof used - 1] = 1;
  burn(100000);
  alarms += used[0];
}

static int small_stack(void) {
  static char memory[8192];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&stack, NULL);
  struct sigaction before, action = {.sa_handler = on_alternate_stack, .sa_flags = SA_ONSTACK};
  sigaction(SIGALRM, &action, NULL);
  if (sigaction(SIGALRM, NULL, &before) != 0) return 1;
  for (int number = 1; number < SIGRTMAX; number++)
    if (sigismember(&before.sa_mask, number) == 1) return 2;
  alarms = 0;
  while (cpu_seconds() < 0.4) {
    burn(100000);
    raise(SIGALRM);
  }
  return alarms > 0 ? 0 : 3;
}

static int tiny_stack(void) {
  while (cpu_seconds() < 0.2) burn(1000);
  static char memory[2048];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&stack, NULL);
  while (cpu_seconds() < 0.4) burn(1000);
  return 0;
}

// A signal of the timer that waits does not reach the next program.
static int exec_pending(void) {
  sigset_t every;
  sigfillset(&every);
  while (cpu_seconds() < 0.2) burn(1000);
  sigprocmask(SIG_BLOCK, &every, NULL);
  while (cpu_seconds() < 0.3) burn(1000);
  execl("/proc/self/exe", "signals", "unblock", NULL);
  return 1;
}

static int unblock(void) {
  sigset_t every;
  sigfillset(&every);
  return sigprocmask(SIG_UNBLOCK, &every, NULL);
}

static int errors(void) {
  while (cpu_seconds() < 0.2) {
    errno = 77;
    burn(10000);
    if (errno != 77) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  (void)argc;
  static const struct {
    const char* name;
    int (*run)(void);
  } kTests[] = {{"masks", masks},
                {"handlers", handlers},
                {"own_trap", own_trap},
                {"ignored_trap", ignored_trap},
                {"breakpoint", breakpoint},
                {"waits", waits},
                {"interruptions", interruptions},
                {"masked_waits", masked_waits},
                {"lacks_epoll_pwait2", lacks_epoll_pwait2},
                {"suspended", suspended},
                {"own_wait", own_wait},
                {"strict", strict},
                {"small_stack", small_stack},
                {"tiny_stack", tiny_stack},
                {"exec_pending", exec_pending},
                {"unblock", unblock},
                {"errors", errors}};
  for (unsigned i = 0; i < sizeof kTests / sizeof kTests[0]; i++) {
    if (strcmp(kTests[i].name, argv[1]) == 0) return kTests[i].run();
  }
  return 99;
}
END
gcc -O1 -pthread signals.c -o signals

# ends_alike TEST: ends as it does alone.
ends_alike() {
  ./signals "$1" || fail "$1 ends with $? by itself"
  "$pgo" record --engine step --overhead 50 --period "$(period 1000003)" -o "$1.data" -- ./signals "$1" 2> "$1.log" ||
    { cat "$1.log"; fail "$1 ends with $? under steps"; }
}
# recorded TEST [NOTE]: does so, has samples, and the recorder says NOTE.
recorded() {
  ends_alike "$1"
  grep -Eq ' [1-9][0-9 ]* samples? from ' "$1.log" || { cat "$1.log"; fail "$1 has no samples"; }
  [ $# -lt 2 ] || grep -Eq "^pgo: warning: process [0-9]+ \(signals\) is not recorded any further: $2\$" "$1.log" ||
    { cat "$1.log"; fail "$1: is not told why there are no more samples"; }
}
recorded masks
recorded handlers
recorded own_trap 'it handles a SIGTRAP of its own'
recorded ignored_trap
recorded breakpoint
recorded waits 'it uses the signal SIGRTMAX-3 itself'
recorded interruptions
recorded masked_waits
recorded suspended
recorded own_wait 'it uses the signal SIGRTMAX-3 itself'
recorded strict 'it filters its system calls'
recorded small_stack
recorded tiny_stack 'its alternate signal stack is too small'
ends_alike exec_pending  # which loses the last samples before it executes the next program
recorded errors

# The library stands before epoll_pwait2() also if the C library, before 2.35, has none.
cat > lacks.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
void* dlsym(void* library, const char* name) {
  void* (*next)(void*, const char*) = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  return strcmp(name, "epoll_pwait2") == 0 ? NULL : next(library, name);
}
END
gcc -shared -fPIC lacks.c -o lacks.so -ldl
LD_PRELOAD=$work/lacks.so "$pgo" record --engine step -o lacks.data -- ./signals lacks_epoll_pwait2 2> lacks.log ||
  { cat lacks.log; fail "epoll_pwait2() of a C library that has none: exit code $?"; }
