// The time of a file's last change. Profiles that do not tell when they were recorded count as of
// then.
#pragma once

#include <cstdint>
#include <string>

#include "pgo/base/result.h"

namespace pgo {

// `time` is in nanoseconds since 1970. Error: kIo.
Result<void> set_time_of_change(const std::string& path, int64_t time);

}  // namespace pgo
