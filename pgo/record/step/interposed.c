// What the program calls instead of the C library's functions, so that it finds everything as it
// would be without the engine:
//
//   - actions of SIGTRAP and of the timer's signal: they look as if nobody had set them. What the
//     program sets is kept until a signal comes that is not the engine's (want_action()).
//   - actions with handlers on an alternate stack: they block the timer's signal. A stack that is
//     too small for a handler of ours ends stepping.
//   - sets of signals that it waits for: without the timer's signal, which it never sent.
//   - calls that wait with a signal mask of their own (ppoll() and others): if the thread blocks
//   the
//     timer's signal, the mask blocks it too, because a pending one would end the call.
//   - threads: each has a timer.
//   - filters of system calls (seccomp): stepping ends, because the handlers make such calls.
//   - _exit(), _Exit() and syscall(), which end the process: its PC samples are handed over before.
//     Calls that the C library makes itself do not come here, so exit() and quick_exit() call what
//     library.c has for them.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE  // which has a ppoll() of its own in the header
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "raw_call.h"
#include "real_calls.h"
#include "stepper.h"

#define EXPORTED __attribute__((visibility("default")))

static bool is_ours(int signal) {
  return is_stepping() && (signal == SIGTRAP || signal == timer_signal()) && !is_given(signal);
}

// A handler that runs on an alternate stack finds it as large as it would be: the timer's signal
// waits until it has ended. Of the usual 8 KB, two frames of the kernel's would leave nothing.
static int set_other_action(int signal, const struct sigaction* action, struct sigaction* before) {
  static bool masked[NSIG];  // by us
  if (!is_stepping() || signal <= 0 || signal >= NSIG)
    return real_sigaction(signal, action, before);
  struct sigaction changed;
  bool changes = false;
  if (action && (action->sa_flags & SA_ONSTACK) && !sigismember(&action->sa_mask, timer_signal())) {
    changed = *action;
    sigaddset(&changed.sa_mask, timer_signal());
    changes = true;
  }
  const bool was_masked = masked[signal];
  const bool sets = action != NULL;
  if (real_sigaction(signal, changes ? &changed : action, before) != 0) return -1;
  if (before && was_masked) sigdelset(&before->sa_mask, timer_signal());
  if (sets) masked[signal] = changes;
  return 0;
}

EXPORTED int sigaltstack(const stack_t* stack, stack_t* before) {
  if (stack && !(stack->ss_flags & SS_DISABLE) && stack->ss_size < needed_stack())
    stop_stepping("is not recorded any further: its alternate signal stack is too small");
  return real_sigaltstack(stack, before);
}

EXPORTED int sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  if (!is_ours(signal)) return set_other_action(signal, action, before);
  struct sigaction wanted;
  if (action) wanted = *action;  // it may be the same object as `before`
  want_action(signal, action ? &wanted : NULL, before);
  return 0;
}

EXPORTED int __sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  return sigaction(signal, action, before);
}

// signal() and its kin set an action of these flags.
static void (*set_handler(int signal, void (*handler)(int), int flags))(int) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;
  if (!(flags & SA_NODEFER)) sigaddset(&action.sa_mask, signal);
  return sigaction(signal, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

#define INTERPOSE_SIGNAL(name, flags)                             \
  EXPORTED void (*name(int signal, void (*handler)(int)))(int) {  \
    return is_ours(signal) ? set_handler(signal, handler, flags)  \
                           : real_signal(#name, signal, handler); \
  }
INTERPOSE_SIGNAL(signal, SA_RESTART)
INTERPOSE_SIGNAL(bsd_signal, SA_RESTART)
INTERPOSE_SIGNAL(ssignal, SA_RESTART)
INTERPOSE_SIGNAL(sysv_signal, (int)SA_RESETHAND | SA_NODEFER)
INTERPOSE_SIGNAL(__sysv_signal, (int)SA_RESETHAND | SA_NODEFER)

// sigset() unblocks the signal too, or only blocks it.
EXPORTED void (*sigset(int signal, void (*handler)(int)))(int) {
  if (!is_ours(signal)) return real_signal("sigset", signal, handler);
  sigset_t alone, mask;
  sigemptyset(&alone);
  sigaddset(&alone, signal);
  struct sigaction before;
  sigaction(signal, NULL, &before);
  if (handler != SIG_HOLD && set_handler(signal, handler, 0) == SIG_ERR) return SIG_ERR;
  if (sigprocmask(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &alone, &mask) != 0)
    return SIG_ERR;
  return sigismember(&mask, signal) ? SIG_HOLD : before.sa_handler;
}

EXPORTED int sigignore(int signal) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  return sigaction(signal, &ignore, NULL);
}

static sigset_t without_timer(const sigset_t* set) {
  sigset_t rest = *set;
  if (is_stepping()) sigdelset(&rest, timer_signal());
  return rest;
}

EXPORTED int sigwait(const sigset_t* set, int* signal) {
  sigset_t rest = without_timer(set);
  return real_sigwait(&rest, signal);
}

EXPORTED int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  sigset_t rest = without_timer(set);
  return real_sigwaitinfo(&rest, info);
}

EXPORTED int sigtimedwait(const sigset_t* set, siginfo_t* info, const struct timespec* timeout) {
  sigset_t rest = without_timer(set);
  return real_sigtimedwait(&rest, info, timeout);
}

EXPORTED int signalfd(int fd, const sigset_t* set, int flags) {
  sigset_t rest = without_timer(set);
  return real_signalfd(fd, &rest, flags);
}

// A signal of the timer that is pending already would come at once, and the call would end with
// EINTR. Where none can be pending the mask stays as it is, so that handlers that run during the
// call have samples.
static const sigset_t* mask_of_wait(const sigset_t* mask, sigset_t* changed) {
  if (!mask || !is_stepping() || sigismember(mask, timer_signal()) == 1) return mask;
  if (!may_have_pending_timer()) return mask;
  *changed = *mask;
  sigaddset(changed, timer_signal());
  return changed;
}

EXPORTED int ppoll(struct pollfd* polled, nfds_t count, const struct timespec* timeout,
                   const sigset_t* mask) {
  sigset_t changed;
  return real_ppoll(polled, count, timeout, mask_of_wait(mask, &changed));
}

// What programs call if _FORTIFY_SOURCE is defined.
EXPORTED int __ppoll_chk(struct pollfd* polled, nfds_t count, const struct timespec* timeout,
                         const sigset_t* mask, size_t size) {
  sigset_t changed;
  return real_ppoll_chk(polled, count, timeout, mask_of_wait(mask, &changed), size);
}

EXPORTED int pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                     const struct timespec* timeout, const sigset_t* mask) {
  sigset_t changed;
  return real_pselect(count, readable, writable, exceptional, timeout,
                      mask_of_wait(mask, &changed));
}

EXPORTED int epoll_pwait(int epoll, struct epoll_event* events, int count, int timeout,
                         const sigset_t* mask) {
  sigset_t changed;
  return real_epoll_pwait(epoll, events, count, timeout, mask_of_wait(mask, &changed));
}

EXPORTED int epoll_pwait2(int epoll, struct epoll_event* events, int count,
                          const struct timespec* timeout, const sigset_t* mask) {
  sigset_t changed;
  return real_epoll_pwait2(epoll, events, count, timeout, mask_of_wait(mask, &changed));
}

EXPORTED int sigsuspend(const sigset_t* mask) {
  sigset_t changed;
  return real_sigsuspend(mask_of_wait(mask, &changed));
}

static _Noreturn void end_process(int status) {
  finish_samples();
  for (;;) raw_call4(SYS_exit_group, status, 0, 0, 0);
}
EXPORTED _Noreturn void _exit(int status) { end_process(status); }
EXPORTED _Noreturn void _Exit(int status) { end_process(status); }

struct ThreadStart {
  void* (*start)(void*);
  thrd_start_t start_c11;
  void* argument;
  uint32_t creator;
};

static pthread_key_t end_key;
static void end_thread(void* ignored) {
  (void)ignored;
  disarm_thread();
}
static __attribute__((constructor)) void make_end_key(void) {
  pthread_key_create(&end_key, end_thread);
}

static struct ThreadStart begin_thread(void* made) {
  struct ThreadStart start = *(struct ThreadStart*)made;
  free(made);
  pthread_setspecific(end_key, &end_key);
  arm_thread(start.creator);
  return start;
}

static void* run_thread(void* made) {
  struct ThreadStart start = begin_thread(made);
  return start.start(start.argument);
}

static int run_c11_thread(void* made) {
  struct ThreadStart start = begin_thread(made);
  return start.start_c11(start.argument);
}

EXPORTED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                            void* (*start)(void*), void* argument) {
  struct ThreadStart* made = is_stepping() ? malloc(sizeof *made) : NULL;
  if (!made) return real_pthread_create(thread, attributes, start, argument);
  *made = (struct ThreadStart){start, NULL, argument, (uint32_t)gettid()};
  int error = real_pthread_create(thread, attributes, run_thread, made);
  if (error != 0) free(made);
  return error;
}

EXPORTED int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  struct ThreadStart* made = is_stepping() ? malloc(sizeof *made) : NULL;
  if (!made) return real_thrd_create(thread, start, argument);
  *made = (struct ThreadStart){NULL, start, argument, (uint32_t)gettid()};
  int answer = real_thrd_create(thread, run_c11_thread, made);
  if (answer != thrd_success) free(made);
  return answer;
}

static const char kFilter[] = "is not recorded any further: it filters its system calls";

static bool filters_calls(long option) {
  return option == PR_SET_SECCOMP || option == PR_SET_SYSCALL_USER_DISPATCH;
}

EXPORTED int prctl(int option, ...) {
  va_list rest;
  va_start(rest, option);
  unsigned long a = va_arg(rest, unsigned long), b = va_arg(rest, unsigned long),
                c = va_arg(rest, unsigned long), d = va_arg(rest, unsigned long);
  va_end(rest);
  if (filters_calls(option)) stop_stepping(kFilter);
  return real_prctl(option, a, b, c, d);
}

EXPORTED long syscall(long number, ...) {
  long arguments[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) arguments[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_exit_group || number == SYS_exit) finish_samples();
  if (number == SYS_seccomp || (number == SYS_prctl && filters_calls(arguments[0])))
    stop_stepping(kFilter);
  if (number == SYS_rt_sigaction && arguments[1] && is_ours((int)arguments[0]))
    stop_stepping("is not recorded any further: it sets signals by system calls");
  return real_syscall(number, arguments);
}
