// Puts what happens in this process into the table that it shares with the recorder. All of it may
// be called from signal handlers.
#pragma once

#include <stdbool.h>

#include "slot_table.h"

struct SlotOrigin {
  uint32_t pid, tid;
};

// Maps the table; false when there is none, or it is not ours. Before other threads are there.
bool open_table(const char* path);
struct TableHeader* table_header(void);

// A slot to be filled, with origin and time; NULL when none is free, or the recorder is gone.
struct Slot* take_slot(struct SlotOrigin origin, enum SlotKind kind);
void hand_over(struct Slot* slot);

// At most kSlotText bytes of the text are put.
void put_text(struct SlotOrigin origin, enum SlotKind kind, uint32_t parent, const char* text,
              uint32_t size);
// The executable mappings of this process.
void put_maps(struct SlotOrigin origin);
