// Opens files that a recorded process controls: it may have put a pipe or a device in their place.
// Opening one may wait for ever or do something, and reading it may never end.
#pragma once

#include <memory>
#include <string>

#include "pgo/base/unique_fd.h"

namespace pgo {

// For reading. Null where there is none, or it is not a regular file.
std::unique_ptr<UniqueFd> open_regular_file(const std::string& path);

}  // namespace pgo
