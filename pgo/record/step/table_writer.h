// Puts what happens in this process into the table that it shares with the recorder. All of it may
// be called from signal handlers. (C and C++)
#pragma once

#include <stdbool.h>

#include "slot_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct SlotOrigin {
  uint32_t pid, tid;
};

// Maps the table; false when there is none, or it is not ours. Before other threads are there.
bool open_table(const char* path);
struct TableHeader* table_header(void);

// False when the recorder has closed the table, or is gone: then no slot was free for samples the
// last kMaxFailures times. It may come back, so this is true from time to time.
enum { kMaxFailures = 16 };
bool has_recorder(void);

// A slot to be filled, with origin and time; NULL when none is free, which counts as a lost sample,
// or the table is closed.
struct Slot* take_slot(struct SlotOrigin origin, enum SlotKind kind);
// For so many samples, which count as lost without a slot.
struct Slot* take_sample_slot(struct SlotOrigin origin, uint32_t samples);
// Unless the table is closed.
void count_lost_samples(uint32_t samples);
void hand_over(struct Slot* slot);

// At most kSlotText bytes of the text are put.
void put_text(struct SlotOrigin origin, enum SlotKind kind, uint32_t parent, const char* text,
              uint32_t size);
// The executable mappings of this process.
void put_maps(struct SlotOrigin origin);

#ifdef __cplusplus
}
#endif
