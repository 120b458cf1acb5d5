// Finds the functions with dlsym(), each when it is called first.
#define _GNU_SOURCE
#include "real_calls.h"

#include <dlfcn.h>

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

void (*real_signal(const char* name, int signal, void (*handler)(int)))(int) {
  typedef void (*Handler)(int);
  typedef Handler (*Function)(int, Handler);
  Function found = (Function)dlsym(RTLD_NEXT, name);
  return found ? found(signal, handler) : SIG_ERR;
}
