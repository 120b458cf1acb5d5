// Names that LLVM's text form cannot hold: it writes them as they are, and its reader ends a name
// at the end of a line, before a count, and tells what a line is by how it begins.
#pragma once

#include <optional>
#include <string>

#include "pgo/symbolize/source_profile.h"

namespace pgo {

// The first in alphabetical order of such names in the profile. O(records).
std::optional<std::string> find_unfit_for_text(const SourceProfile& profile);

}  // namespace pgo
