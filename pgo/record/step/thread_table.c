// A child of a fork shares its pages with its parent until one of them writes. So what is large is
// touched only where threads are: each entry from `used` on is as it was at the beginning.
#include "thread_table.h"

#include <stddef.h>

#include "raw_call.h"

enum { kMaxThreads = 1024 };

static struct {
  uint32_t used;  // atomic; only grows in a process
  struct TimedThread threads[kMaxThreads];
  struct ClockBuffer buffers[kMaxThreads];
} table;

static uint32_t used(void) { return __atomic_load_n(&table.used, __ATOMIC_ACQUIRE); }

static void use(uint32_t count) {
  uint32_t before = used();
  while (before < count && !__atomic_compare_exchange_n(&table.used, &before, count, false,
                                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
}

struct TimedThread* claim_thread(struct SlotOrigin origin) {
  for (uint32_t i = 0; i < kMaxThreads; i++) {
    use(i + 1);  // before it is claimed: then each claimed entry is found, also by a child
    struct TimedThread* thread = &table.threads[i];
    uint32_t free = 0;
    if (!__atomic_compare_exchange_n(&thread->tid, &free, origin.tid, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      continue;
    thread->clock = &table.buffers[i];
    if (begin_clock_buffer(thread->clock, origin)) return thread;
    free_thread(thread);  // another thread hands over what the one before has left
  }
  return NULL;
}

void free_thread(struct TimedThread* thread) {
  delete_timer(thread);
  __atomic_store_n(&thread->bursting, false, __ATOMIC_RELEASE);
  __atomic_store_n(&thread->tid, 0, __ATOMIC_RELEASE);
}

void set_timer(struct TimedThread* thread, int number) {
  __atomic_store_n(&thread->timer, number + 1, __ATOMIC_RELEASE);
}

void delete_timer(struct TimedThread* thread) {
  const int timer = __atomic_exchange_n(&thread->timer, 0, __ATOMIC_ACQ_REL);
  if (timer != 0) raw_call4(SYS_timer_delete, timer - 1, 0, 0, 0);
}

void delete_all_timers(void) {
  for (uint32_t i = 0; i < used(); i++) delete_timer(&table.threads[i]);
}

bool any_burst(void) {
  for (uint32_t i = 0; i < used(); i++)
    if (__atomic_load_n(&table.threads[i].bursting, __ATOMIC_ACQUIRE)) return true;
  return false;
}

void hand_over_all_clock_samples(uint32_t pid) {
  for (uint32_t i = 0; i < used(); i++) hand_over_clock_samples(&table.buffers[i], pid);
}

void forget_threads(void) {
  for (uint32_t i = 0; i < table.used; i++) {
    table.threads[i] = (struct TimedThread){0};
    release_clock_buffer(&table.buffers[i]);
  }
  table.used = 0;
}
