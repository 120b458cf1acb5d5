// What of a StackProfile is looked at: some of its sample types, the samples of some builds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// Leaves the sample types of these names ("cpu" or "cpu/nanoseconds"), in this order. `name` is for
// messages. Error: kMismatch when one is not counted.
Result<void> select_sample_types(StackProfile& profile, const std::vector<std::string>& types,
                                 const std::string& name);

// Leaves the samples with a frame in a mapping of one of these builds: those of processes that ran
// one.
void select_builds(StackProfile& profile, std::span<const BuildId> builds);

// The sum of a sample type's values; stops at the largest and the smallest number.
int64_t total_of(const StackProfile& profile, size_t type);

}  // namespace pgo
