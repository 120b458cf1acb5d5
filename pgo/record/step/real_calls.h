// The functions of the next library (the C library, as a rule) that interposed.c stands before.
#pragma once

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>

int real_sigaction(int signal, const struct sigaction* action, struct sigaction* before);
int real_sigaltstack(const stack_t* stack, stack_t* before);
int real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                        void* argument);
int real_thrd_create(thrd_t* thread, thrd_start_t start, void* argument);
int real_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);
long real_syscall(long number, const long arguments[6]);
int real_sigwait(const sigset_t* set, int* signal);
int real_sigwaitinfo(const sigset_t* set, siginfo_t* info);
int real_sigtimedwait(const sigset_t* set, siginfo_t* info, const struct timespec* timeout);
int real_signalfd(int fd, const sigset_t* set, int flags);

int real_ppoll(struct pollfd* polled, nfds_t count, const struct timespec* timeout,
               const sigset_t* mask);
// `size`: the bytes of memory at `polled`.
int real_ppoll_chk(struct pollfd* polled, nfds_t count, const struct timespec* timeout,
                   const sigset_t* mask, size_t size);
int real_pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                 const struct timespec* timeout, const sigset_t* mask);
int real_epoll_pwait(int epoll, struct epoll_event* events, int count, int timeout,
                     const sigset_t* mask);
// ENOSYS where there is none: glibc has it since 2.35.
int real_epoll_pwait2(int epoll, struct epoll_event* events, int count,
                      const struct timespec* timeout, const sigset_t* mask);
int real_sigsuspend(const sigset_t* mask);

// sigset(), signal() and kin: `name` is the function's.
void (*real_signal(const char* name, int signal, void (*handler)(int)))(int);
