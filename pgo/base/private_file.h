// Files that only their owner may read, also while they are written: profiles that wait to be sent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo {

// The file appears whole or not at all, with `time` as that of its last change (nanoseconds since
// 1970). Whatever has its name is replaced, also a link that another user planted; what it leads to
// stays. A request to end this process waits until the file is complete. Error: kIo.
Result<void> write_private_file(const std::string& path, std::string_view contents, int64_t time);

}  // namespace pgo
