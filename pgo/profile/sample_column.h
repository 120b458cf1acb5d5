// SampleColumn: which of a StackProfile's values say where a program was, and how many samples a
// value is. Profiles count samples, or time, or both, or something else altogether.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

struct SampleColumn {
  size_t index = 0;
  int64_t per_sample = 1;  // what of a value makes a sample; not 0

  // How often a stack was sampled, rounded, and once at least. Differences of profiles have
  // negative values, which are no samples.
  uint64_t samples_of(const StackProfile& profile, size_t sample) const;
};

// `wanted` names a sample type ("samples", "cpu"); empty: samples, or else time, which is divided
// by the period. `name` is for messages. Errors: kUsage for a sample type that is not there, kInput
// when nothing counts where the program was.
Result<SampleColumn> choose_sample_column(const StackProfile& profile, const std::string& wanted,
                                          const std::string& name);

}  // namespace pgo
