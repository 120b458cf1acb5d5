// Finds each function with dlsym() at its first call; those that wait, when the library loads.
#define _GNU_SOURCE
#include "real_calls.h"

#include <dlfcn.h>
#include <errno.h>

// dlsym() finds the same each time, so threads may race.
#define REAL(type, name)                          \
  static type found;                              \
  if (!__atomic_load_n(&found, __ATOMIC_RELAXED)) \
    __atomic_store_n(&found, (type)dlsym(RTLD_NEXT, name), __ATOMIC_RELAXED);

int real_sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  typedef int (*Function)(int, const struct sigaction*, struct sigaction*);
  REAL(Function, "sigaction")
  return found(signal, action, before);
}

int real_sigaltstack(const stack_t* stack, stack_t* before) {
  typedef int (*Function)(const stack_t*, stack_t*);
  REAL(Function, "sigaltstack")
  return found(stack, before);
}

int real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                        void* argument) {
  typedef int (*Function)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  REAL(Function, "pthread_create")
  return found(thread, attributes, start, argument);
}

int real_thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  typedef int (*Function)(thrd_t*, thrd_start_t, void*);
  REAL(Function, "thrd_create")
  return found(thread, start, argument);
}

int real_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  typedef int (*Function)(int, ...);
  REAL(Function, "prctl")
  return found(option, a, b, c, d);
}

long real_syscall(long number, const long arguments[6]) {
  typedef long (*Function)(long, ...);
  REAL(Function, "syscall")
  return found(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
               arguments[5]);
}

int real_sigwait(const sigset_t* set, int* signal) {
  typedef int (*Function)(const sigset_t*, int*);
  REAL(Function, "sigwait")
  return found(set, signal);
}

int real_sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  typedef int (*Function)(const sigset_t*, siginfo_t*);
  REAL(Function, "sigwaitinfo")
  return found(set, info);
}

int real_sigtimedwait(const sigset_t* set, siginfo_t* info, const struct timespec* timeout) {
  typedef int (*Function)(const sigset_t*, siginfo_t*, const struct timespec*);
  REAL(Function, "sigtimedwait")
  return found(set, info, timeout);
}

int real_signalfd(int fd, const sigset_t* set, int flags) {
  typedef int (*Function)(int, const sigset_t*, int);
  REAL(Function, "signalfd")
  return found(fd, set, flags);
}

enum Wait { kPpoll, kPpollChecked, kPselect, kEpollPwait, kEpollPwait2, kSigsuspend, kWaits };

static void* find_wait(enum Wait wait) {
  static const char* const kNames[kWaits] = {"ppoll",       "__ppoll_chk",  "pselect",
                                             "epoll_pwait", "epoll_pwait2", "sigsuspend"};
  static void* waits[kWaits];
  void* found = __atomic_load_n(&waits[wait], __ATOMIC_RELAXED);
  if (found) return found;
  found = dlsym(RTLD_NEXT, kNames[wait]);
  __atomic_store_n(&waits[wait], found, __ATOMIC_RELAXED);
  return found;
}

// Looks them up when the library loads. Garbage collectors stop threads by a signal whose handler
// calls sigsuspend(); dlsym() there could deadlock on a lock that a stopped thread holds.
static __attribute__((constructor)) void find_waits(void) {
  for (int wait = 0; wait < kWaits; wait++) find_wait((enum Wait)wait);
}

int real_ppoll(struct pollfd* polled, nfds_t count, const struct timespec* timeout,
               const sigset_t* mask) {
  typedef int (*Function)(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*);
  return ((Function)find_wait(kPpoll))(polled, count, timeout, mask);
}

int real_ppoll_chk(struct pollfd* polled, nfds_t count, const struct timespec* timeout,
                   const sigset_t* mask, size_t size) {
  typedef int (*Function)(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*, size_t);
  return ((Function)find_wait(kPpollChecked))(polled, count, timeout, mask, size);
}

int real_pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                 const struct timespec* timeout, const sigset_t* mask) {
  typedef int (*Function)(int, fd_set*, fd_set*, fd_set*, const struct timespec*, const sigset_t*);
  return ((Function)find_wait(kPselect))(count, readable, writable, exceptional, timeout, mask);
}

int real_epoll_pwait(int epoll, struct epoll_event* events, int count, int timeout,
                     const sigset_t* mask) {
  typedef int (*Function)(int, struct epoll_event*, int, int, const sigset_t*);
  return ((Function)find_wait(kEpollPwait))(epoll, events, count, timeout, mask);
}

int real_epoll_pwait2(int epoll, struct epoll_event* events, int count,
                      const struct timespec* timeout, const sigset_t* mask) {
  typedef int (*Function)(int, struct epoll_event*, int, const struct timespec*, const sigset_t*);
  const Function found = (Function)find_wait(kEpollPwait2);
  if (found) return found(epoll, events, count, timeout, mask);
  errno = ENOSYS;
  return -1;
}

int real_sigsuspend(const sigset_t* mask) {
  typedef int (*Function)(const sigset_t*);
  return ((Function)find_wait(kSigsuspend))(mask);
}

void (*real_signal(const char* name, int signal, void (*handler)(int)))(int) {
  typedef void (*Handler)(int);
  typedef Handler (*Function)(int, Handler);
  Function found = (Function)dlsym(RTLD_NEXT, name);
  return found ? found(signal, handler) : SIG_ERR;
}
