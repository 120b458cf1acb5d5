// The PC samples of one thread that are not handed over yet. Whoever touches them takes the buffer
// first: the thread's handler, or another thread when the process ends. It never waits.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "table_writer.h"

struct ClockBuffer {
  bool taken;  // atomic
  uint32_t count;
  struct ClockSample samples[kClockSamples];
};

// Left out if another thread has the buffer: then the process ends. A full buffer is handed over.
void add_clock_sample(struct ClockBuffer* buffer, struct SlotOrigin origin,
                      struct ClockSample sample);
// Into a slot of a burst; none if another thread has the buffer.
void move_clock_samples(struct ClockBuffer* buffer, struct Slot* slot);
// Into a slot of their own.
void hand_over_clock_samples(struct ClockBuffer* buffer, struct SlotOrigin origin);
