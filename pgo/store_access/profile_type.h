// Profile types of Pyroscope and Parca: "process_cpu:cpu:nanoseconds:cpu:nanoseconds", which is the
// name, the type and the unit of samples, and those of the period; Parca adds ":delta" for profiles
// that have a duration.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/stack_profile.h"

namespace pgo::store_access {

struct TypeParts {
  std::string_view name, sample, unit, period, period_unit;
  bool is_delta = false;

  bool counts_samples() const { return pgo::counts_samples(sample); }
};

// Nothing for other texts, such as those with a colon in one of the parts: no query can name these.
std::optional<TypeParts> parse_profile_type(std::string_view text);

// The one of `types` that has these samples: "alloc_space" or "cpu/nanoseconds"; empty: time on the
// CPU. Of types with one name, the one that counts samples comes first: others follow from it.
// Empty when the store has no types at all. Errors: kUsage when none or several have such samples;
// `shown` is the store.
Result<std::string> choose_profile_type(const std::set<std::string, std::less<>>& types,
                                        const std::string& sample_type, const std::string& shown);

// What stores call profiles that count these things: "process_cpu" for time on the CPU, "memory",
// "mutex", or else the first sample type.
std::string profile_name_of(const StackProfile& profile);

}  // namespace pgo::store_access
