// What of a StackProfile is looked at: some of its sample types, the samples of some builds.
#pragma once

#include <cstdint>
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

// The position of a sample type by its name, "cpu" or "cpu/nanoseconds". `name` is for messages.
// Error: kMismatch when it is not counted.
Result<size_t> find_sample_type(const StackProfile& profile, const std::string& wanted,
                                const std::string& name);

// Leaves the samples for which is_wanted(position) is true.
template <typename IsWanted>
void keep_samples(StackProfile& profile, const IsWanted& is_wanted) {
  size_t types = profile.sample_types.size(), kept = 0;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    if (!is_wanted(i)) continue;
    profile.samples[kept] = profile.samples[i];
    for (size_t type = 0; type < types; type++)
      profile.values[kept * types + type] = profile.values[i * types + type];
    kept++;
  }
  profile.samples.resize(kept);
  profile.values.resize(kept * types);
}

// Leaves the samples with a frame in a mapping of one of these builds: those of processes that ran
// one.
void select_builds(StackProfile& profile, std::span<const BuildId> builds);

// The sample type to show when none was asked for: the default of the profile, or else its last, as
// google/pprof has it. `profile` has a sample type.
size_t shown_type(const StackProfile& profile);

// "cpu/nanoseconds".
std::string type_name(const StackProfile& profile, size_t type);

// How far a value is from 0. Differences of profiles have negative values.
inline uint64_t magnitude_of(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

// Their sum; stops at the largest and the smallest number.
int64_t sum_of(int64_t a, int64_t b);

// Samples that cannot count as such: how many, and the sum of their values.
struct NegativeSamples {
  uint64_t samples = 0;
  int64_t sum = 0;

  void add(int64_t value) { samples++, sum = sum_of(sum, value); }
};

// Leaves out samples with a negative value of any type. `sum` is of values of `type`.
NegativeSamples drop_negative_samples(StackProfile& profile, size_t type);

// The sum of a sample type's values; stops at the largest and the smallest number.
int64_t total_of(const StackProfile& profile, size_t type);

// What a stack profile counts of one sample type: "cpu", "nanoseconds", 12 000 000.
struct SampleTotal {
  std::string type, unit;
  int64_t total = 0;

  bool operator==(const SampleTotal&) const = default;
};
// In the order of the sample types. O(samples * sample types).
std::vector<SampleTotal> totals_of(const StackProfile& profile);

}  // namespace pgo
