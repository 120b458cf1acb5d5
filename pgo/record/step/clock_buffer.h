// The PC samples of one thread that are not handed over yet. Whoever touches them takes the buffer
// first: the thread's handler, or another thread that ends the process or the stepping. It never
// waits. (C and C++)
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "table_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ClockBuffer {
  bool taken;  // atomic
  struct SlotOrigin owner;
  uint32_t count;
  struct ClockSample samples[kClockSamples];
};

// The buffer is `owner`'s from now on, and empty. False if another thread has it.
bool begin_clock_buffer(struct ClockBuffer* buffer, struct SlotOrigin owner);
// Lost, and counted so, if another thread has the buffer. A full buffer is handed over.
void add_clock_sample(struct ClockBuffer* buffer, struct ClockSample sample);
// Into a slot of a burst; none if another thread has the buffer.
void move_clock_samples(struct ClockBuffer* buffer, struct Slot* slot);
// Into a slot of their own; not if another thread has the buffer, or `pid` is not the owner's: a
// child has a copy of its parent's buffers.
void hand_over_clock_samples(struct ClockBuffer* buffer, uint32_t pid);
// In the child of a fork: a thread that had the buffer is not here.
void release_clock_buffer(struct ClockBuffer* buffer);

#ifdef __cplusplus
}
#endif
