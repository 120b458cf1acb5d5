// The files below a directory that count as profiles there.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

// Every regular file below `path` once (a link such as "latest" is no further one), but hidden
// ones, and directories that may not be listed; links to directories are not followed. Sorted.
// Nothing is opened. More than `limit` files are not listed any further, so that one more than it
// says that there are too many. Error: kIo. O(files).
Result<std::vector<std::string>> files_below(const std::string& path, size_t limit);

// May it not be opened by whom this process runs as, or a directory not be looked into?
bool is_closed(const std::string& path);

}  // namespace pgo
