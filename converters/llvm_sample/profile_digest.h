// The digest that names a profile: in the path under which compilers are given it, and in the note
// of what was built with it.
#pragma once

#include <string>

#include "pgo/base/bytes.h"

namespace pgo {

// "sha256:" and 64 hexadecimal digits. O(size).
std::string profile_digest(Bytes bytes);

}  // namespace pgo
