// Things that a plugin could not follow, in a page that the processes of one run share (C and C++).
//
//   keep_notes_in(&state->notes);
//   note_limitation("%s cannot be executed: %s", path, strerror(errno));
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kMaxNotes = 12, kNoteSize = 240 };

// Only touched by atomic operations, except a text, which belongs to whoever drew its number.
struct NoteList {
  uint32_t count;  // the first kMaxNotes have a text
  char text[kMaxNotes][kNoteSize];
};

// Before the first note; without it, notes are only printed.
void keep_notes_in(struct NoteList* list);

// Notes are not written to standard error, because whoever started QEMU reads the list.
void keep_notes_quiet(void);

// Leaves a note of at most kNoteSize - 1 bytes.
void note_limitation(const char* format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
