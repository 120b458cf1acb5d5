#include "pgo/record/plugin_notes.h"

#include <string.h>

#include <algorithm>

namespace pgo {

std::vector<std::string> notes_of(const NoteList& list) {
  std::vector<std::string> notes;
  for (uint32_t i = 0; i < std::min<uint32_t>(list.count, kMaxNotes); i++)
    notes.emplace_back(list.text[i], ::strnlen(list.text[i], kNoteSize));
  return notes;
}

}  // namespace pgo
