// Parts of a profile for stores that limit how large one may be.
#pragma once

#include <cstdint>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo::store_access {

struct PartLimits {
  size_t samples = 16'000;
  uint64_t bytes = 4 << 20;  // of the message, not compressed
};

// Messages of pprof, whose samples are those of `profile`, which is normalized, each once. Each is
// one millisecond later than the one before, because stores take two profiles of one time and one
// set of labels for copies. One is enough where the limits allow it. Error: kInput for a sample
// that is too large by itself.
Result<std::vector<std::string>> pprof_parts(const StackProfile& profile, const PartLimits& limits,
                                             const std::string& shown);

}  // namespace pgo::store_access
