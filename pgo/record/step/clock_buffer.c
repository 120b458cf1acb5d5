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
  const uint32_t count = buffer->count;
  slot->clock_count = count;
  memcpy(slot->clock, buffer->samples, count * sizeof buffer->samples[0]);
  buffer->count = 0;
}

// The caller has taken the buffer.
static void empty(struct ClockBuffer* buffer) {
  if (buffer->count == 0) return;
  struct Slot* slot = take_sample_slot(buffer->owner, buffer->count);
  if (!slot) {
    buffer->count = 0;
    return;
  }
  slot->sample.count = slot->sample.steps = 0;
  move(buffer, slot);
  hand_over(slot);
}

bool begin_clock_buffer(struct ClockBuffer* buffer, struct SlotOrigin owner) {
  if (!take(buffer)) return false;
  buffer->owner = owner;
  buffer->count = 0;
  release(buffer);
  return true;
}

void add_clock_sample(struct ClockBuffer* buffer, struct ClockSample sample) {
  if (!take(buffer)) {
    count_lost_samples(1);
    return;
  }
  if (buffer->count == kClockSamples) empty(buffer);
  buffer->samples[buffer->count++] = sample;
  release(buffer);
}

void move_clock_samples(struct ClockBuffer* buffer, struct Slot* slot) {
  slot->clock_count = 0;
  if (!take(buffer)) return;
  move(buffer, slot);
  release(buffer);
}

void hand_over_clock_samples(struct ClockBuffer* buffer, uint32_t pid) {
  if (!take(buffer)) return;
  if (buffer->owner.pid == pid) empty(buffer);
  release(buffer);
}

// Writes only what changes: the child shares each page with its parent until one of them writes.
void release_clock_buffer(struct ClockBuffer* buffer) {
  if (buffer->taken) release(buffer);
}
