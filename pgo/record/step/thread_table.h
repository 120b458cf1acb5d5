// The threads of this process that have a timer, and the PC samples of each. They are here and not
// in the thread's own memory, which goes away with it. May be used in signal handlers. (C and C++)
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "clock_buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct TimedThread {
  uint32_t tid;   // 0: free; atomic
  int timer;      // 1 + its number; 0: none; atomic
  bool bursting;  // atomic
  struct ClockBuffer* clock;
};

// NULL: there are too many.
struct TimedThread* claim_thread(struct SlotOrigin origin);
void free_thread(struct TimedThread* thread);

void set_timer(struct TimedThread* thread, int number);
// Whoever comes first deletes it: the number of a timer that is gone may be another's.
void delete_timer(struct TimedThread* thread);
void delete_all_timers(void);

bool any_burst(void);
void hand_over_all_clock_samples(uint32_t pid);  // this process
// In the child of a fork, which has none of them.
void forget_threads(void);

#ifdef __cplusplus
}
#endif
