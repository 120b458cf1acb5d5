// Bursts of single steps in the threads of this process.
//
//   start_stepping(table_header());   in the first thread
//   arm_thread();                     in every other one, when it begins
//
// A timer of the CPU time of each thread interrupts it, which gives a PC sample. Now and then the
// handler sets the trap flag in the flags that the thread goes on with, instead: then each
// instruction ends in a SIGTRAP, whose handler looks where the thread has gone, and clears the flag
// at the end of the burst.
//
// The kernel ends a process that blocks or ignores SIGTRAP in a burst. So a burst ends before every
// system call, and before whatever else could do that (instruction.c), and none begins in a thread
// that blocks the signal. A signal handler of the program that runs in the middle of a burst runs
// without the flag, and whatever it does: the flag returns with the mask of before.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

// Takes the actions of SIGTRAP and of the timer's signal, and arms the first thread. False when one
// of them is taken, or the kernel says no.
bool start_stepping(void);
bool is_stepping(void);
int timer_signal(void);
bool has_timer(void);  // does the calling thread have one?

// The calling thread, from now on. `creator`: 0 for the first thread of the process.
void arm_thread(uint32_t creator);
void disarm_thread(void);
// The process ends: what the timers of its threads have seen goes into the recording. May be called
// in signal handlers.
void finish_samples(void);
// In the child of a fork.
void rearm_after_fork(void);

// No more bursts and timers in this process. Waits a tenth of a second, at most, until none is
// left. `reason` goes into the recording.
void stop_stepping(const char* reason);
// What the program sets for a signal that is ours, and has set before. It takes effect when such a
// signal comes that is not ours: that ends stepping, and from then on the signal is the program's.
void want_action(int signal, const struct sigaction* action, struct sigaction* before);
bool is_given(int signal);
// Does the calling thread block the timer's signal, for which the program has no handler? Then one
// may be pending that is the engine's.
bool may_have_pending_timer(void);
// Bytes of stack that a handler needs, with what the kernel saves there.
unsigned long needed_stack(void);
