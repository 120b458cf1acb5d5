// Slots are taken by an atomic exchange of their state; whoever has one writes it alone.
#define _GNU_SOURCE
#include "table_writer.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "raw_call.h"

enum { kRetryAfter = 1024 };  // questions whether there is a recorder

static struct {
  struct TableHeader* header;
  uint64_t* states;
  char* slots;
  uint32_t failures;  // to find a slot for samples, one after the other; atomic
  uint32_t refusals;  // has_recorder() has said so often that there is none; atomic
} table;

bool open_table(const char* path) {
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return false;
  struct stat status;
  void* memory = MAP_FAILED;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == kTableSize)
    memory = mmap(NULL, kTableSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory == MAP_FAILED) return false;
  table.header = memory;
  table.states = (uint64_t*)((char*)memory + kTableStatesAt);
  table.slots = (char*)memory + kTableSlotsAt;
  table.failures = table.refusals = 0;
  return table.header->magic == PRODPGO_TABLE_MAGIC && !table.header->closed;
}

struct TableHeader* table_header(void) { return table.header; }

static bool is_closed(void) { return __atomic_load_n(&table.header->closed, __ATOMIC_RELAXED); }

bool has_recorder(void) {
  if (is_closed()) return false;
  if (__atomic_load_n(&table.failures, __ATOMIC_RELAXED) < kMaxFailures) return true;
  // It may only have been slow, or stopped: one more sample looks for a slot from time to time.
  if (__atomic_add_fetch(&table.refusals, 1, __ATOMIC_RELAXED) % kRetryAfter != 0) return false;
  __atomic_store_n(&table.failures, kMaxFailures - 1, __ATOMIC_RELAXED);
  return true;
}

void count_lost_samples(uint32_t samples) {
  if (is_closed()) return;
  __atomic_fetch_add(&table.header->lost_samples, samples, __ATOMIC_RELAXED);
}

// In one table all threads begin to look at different places.
static struct Slot* find_slot(struct SlotOrigin origin, enum SlotKind kind) {
  const uint64_t mine = kSlotFilling | (uint64_t)origin.pid << 32;
  for (uint32_t i = 0; i < kSlotCount; i++) {
    uint32_t number = (origin.tid * 61u + i) % kSlotCount;
    uint64_t free = kSlotFree;
    if (!__atomic_compare_exchange_n(&table.states[number], &free, mine, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
      continue;
    struct Slot* slot = (struct Slot*)(table.slots + (uint64_t)number * kSlotSize);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    slot->kind = kind;
    slot->parent = slot->size = 0;
    slot->pid = origin.pid;
    slot->tid = origin.tid;
    slot->time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    return slot;
  }
  return NULL;
}

struct Slot* take_slot(struct SlotOrigin origin, enum SlotKind kind) {
  if (is_closed()) return NULL;
  struct Slot* slot = find_slot(origin, kind);
  if (!slot) count_lost_samples(1);
  return slot;
}

struct Slot* take_sample_slot(struct SlotOrigin origin, uint32_t samples) {
  if (is_closed()) return NULL;
  struct Slot* slot = find_slot(origin, kSlotSample);
  if (slot) {
    __atomic_store_n(&table.failures, 0, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_add(&table.failures, 1, __ATOMIC_RELAXED);
    count_lost_samples(samples);
  }
  return slot;
}

void hand_over(struct Slot* slot) {
  const uint64_t number = (uint64_t)((char*)slot - table.slots) / kSlotSize;
  __atomic_store_n(&table.states[number], kSlotFull | (uint64_t)slot->pid << 32, __ATOMIC_RELEASE);
}

void put_text(struct SlotOrigin origin, enum SlotKind kind, uint32_t parent, const char* text,
              uint32_t size) {
  struct Slot* slot = take_slot(origin, kind);
  if (!slot) return;
  slot->parent = parent;
  slot->size = size < kSlotText ? size : kSlotText;
  memcpy(slot->text, text, slot->size);
  hand_over(slot);
}

// "BEGIN-END r-xp ...": of the lines of a maps file, those with the x.
static bool is_executable(const char* line, size_t size) {
  const char* space = memchr(line, ' ', size);
  return space && (size_t)(space - line) + 4 < size && space[3] == 'x';
}

void put_maps(struct SlotOrigin origin) {
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char text[2 * 4096], lines[kSlotText];
  size_t filled = 0, size_of_lines = 0;
  for (;;) {
    ssize_t got = read(fd, text + filled, sizeof text - filled);
    if (got <= 0) break;
    filled += (size_t)got;
    char* line = text;
    for (char* end; (end = memchr(line, '\n', filled - (size_t)(line - text))); line = end + 1) {
      size_t size = (size_t)(end + 1 - line);
      if (size > kSlotText || !is_executable(line, size)) continue;
      if (size_of_lines + size > kSlotText) {
        put_text(origin, kSlotMaps, 0, lines, (uint32_t)size_of_lines);
        size_of_lines = 0;
      }
      memcpy(lines + size_of_lines, line, size);
      size_of_lines += size;
    }
    filled -= (size_t)(line - text);
    memmove(text, line, filled);
    if (filled == sizeof text) filled = 0;
  }
  if (size_of_lines > 0) put_text(origin, kSlotMaps, 0, lines, (uint32_t)size_of_lines);
  close(fd);
}
