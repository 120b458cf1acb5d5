// Whether LLVM may read the index of a package of .dwo files (.debug_cu_index, .debug_tu_index):
// its reader takes the numbers of rows in it for array indices, and its look-up goes on until it
// finds an empty slot.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace pgo {

// Also true for what is too short for a header: LLVM takes that for no index. O(section).
bool is_sound_unit_index(llvm::StringRef section);

}  // namespace pgo
