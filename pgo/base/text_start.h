// The start of a text, from which its format is recognized. A line is as long as the names in it,
// and names of C++ templates may have many thousand characters.
#pragma once

#include <cstddef>

#include "pgo/base/bytes.h"

namespace pgo {

// No line is longer that has to be recognized: what is no text is not searched for lines further.
inline constexpr size_t kTextStart = size_t{16} << 20;

// `bytes` up to the end of the line that is number `count` of those that are not empty, or all of
// them; of more than kTextStart bytes only whole lines within these. O(bytes returned, or
// kTextStart).
Bytes first_lines(Bytes bytes, size_t count);

}  // namespace pgo
