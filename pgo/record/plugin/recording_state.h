// The first page of every file that the branch recorder writes, shared between the processes of
// one recording through the page cache and read by the assembly afterwards (C and C++).
//
//     0  perf.data file header (104 bytes), whose data size grows with every record
//   104  perf_event_attr (128 bytes) and its empty list of ids (16 bytes)
//   512  RecordingState, in the first part only
//  4096  the records
//
// So each part is a valid perf.data at any moment, even when its process is killed.
#pragma once

#include <stdint.h>

#include "note_list.h"

enum {
  kStateOffset = 512,
  kDataOffset = 4096,
};

// One for a whole recording; every member is only touched by atomic operations.
struct RecordingState {
  uint64_t clock;           // instructions executed by all threads of all processes, about
  uint64_t taken_branches;  // as of each thread's latest record
  uint32_t parts;           // files begun: FILE, FILE.1, FILE.2, ...
  struct NoteList notes;    // things that could not be followed
};
