// May be called from signal handlers, as table_writer.h.
#include "clock_buffer.h"

#include <string.h>

static bool take(struct ClockBuffer* buffer) {
  return !__atomic_exchange_n(&buffer->taken, true, __ATOMIC_ACQUIRE);
}
static void release(struct ClockBuffer* buffer) {
  __atomic_store_n(&buffer->taken, false, __ATOMIC_RELEASE);
}

// The caller has taken the buffer.
static void move(struct ClockBuffer* buffer, struct Slot* slot) {
  slot->clock_count = buffer->count;
  memcpy(slot->clock, buffer->samples, buffer->count * sizeof buffer->samples[0]);
  buffer->count = 0;
}

// The caller has taken the buffer.
static void empty(struct ClockBuffer* buffer, struct SlotOrigin origin) {
  if (buffer->count == 0) return;
  struct Slot* slot = take_slot(origin, kSlotSample);
  if (!slot) {  // which counts as one
    __atomic_fetch_add(&table_header()->lost_samples, buffer->count - 1, __ATOMIC_RELAXED);
    buffer->count = 0;
    return;
  }
  slot->sample.count = slot->sample.steps = 0;
  move(buffer, slot);
  hand_over(slot);
}

void add_clock_sample(struct ClockBuffer* buffer, struct SlotOrigin origin,
                      struct ClockSample sample) {
  if (!take(buffer)) return;
  if (buffer->count == kClockSamples) empty(buffer, origin);
  buffer->samples[buffer->count++] = sample;
  release(buffer);
}

void move_clock_samples(struct ClockBuffer* buffer, struct Slot* slot) {
  slot->clock_count = 0;
  if (!take(buffer)) return;
  move(buffer, slot);
  release(buffer);
}

void hand_over_clock_samples(struct ClockBuffer* buffer, struct SlotOrigin origin) {
  if (!take(buffer)) return;
  empty(buffer, origin);
  release(buffer);
}
