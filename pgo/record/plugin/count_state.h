// The file that the event counter writes, shared between the processes of one run through the page
// cache and read at any time, also while they run (C and C++).
//
//     0  CountState
//  4096  kCountSlots times a CountSlot
//
// Each thread adds to a slot of its own, so that nothing is lost when its process is killed. The
// counts of a run are the sum of all slots in use.
#pragma once

#include <stdint.h>

#include "note_list.h"

enum { kSlotsOffset = 4096, kCountSlots = 16384 };

// Every member is only touched by atomic operations.
struct CountState {
  uint32_t slots;         // in use; above kCountSlots: threads beyond these were not counted
  struct NoteList notes;  // things that could not be followed
};

// A cache line, so that threads do not slow down each other.
struct CountSlot {
  uint64_t instructions;
  uint64_t taken_branches;
  uint64_t unused[6];
};
