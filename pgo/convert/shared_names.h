// Static functions of one name in different files: a profile knows functions by name, so they share
// their counts, unless the compiler made their names unique.
#pragma once

#include <cstddef>

#include "pgo/binary/binary_set.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

// Names of functions in `profile` that several functions of `binary` have; 0 when clang, which can
// make them unique, compiled none of it. O(symbols).
size_t count_shared_names(const SourceProfile& profile, const Binary& binary);

}  // namespace pgo
