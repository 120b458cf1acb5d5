// Formats a note, and copies it to the list that the processes of a run share.
#define _GNU_SOURCE
#include "note_list.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A plugin has no object of its own to keep it in.
static struct NoteList* notes;
static bool quiet;

void keep_notes_in(struct NoteList* list) { notes = list; }

void keep_notes_quiet(void) { quiet = true; }

void note_limitation(const char* format, ...) {
  char text[kNoteSize];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!quiet) dprintf(STDERR_FILENO, "prodpgo: %s\n", text);
  if (!notes) return;
  uint32_t number = __atomic_fetch_add(&notes->count, 1, __ATOMIC_RELAXED);
  if (number < kMaxNotes) memcpy(notes->text[number], text, sizeof text);
}
