// What a plugin could not follow, as it noted it.
#pragma once

#include <string>
#include <vector>

#include "pgo/record/plugin/note_list.h"

namespace pgo {

// The notes that have a text, kMaxNotes at most, in order; `list.count` may be larger.
std::vector<std::string> notes_of(const NoteList& list);

}  // namespace pgo
