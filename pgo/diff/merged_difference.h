// Both sides of a comparison in one profile, as `go tool pprof -diff_base` writes it: the values of
// the first are negative, and its samples have the label pprof::base=true.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_merger.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// Is it what go tool pprof or pgo diff wrote of two profiles? O(labels).
bool is_difference(const StackProfile& profile);

class MergedDifference {
 public:
  // Are samples with these labels of the first side?
  static bool is_base(const StackProfile& profile, LabelsId labels);
  static void negate(std::vector<int64_t>& values);

  // `name` is for messages.
  Result<void> add(const StackProfile& profile, size_t side, const std::string& name,
                   MergeFactor factor = {});
  // `compared` is a sample type that all profiles have, such as "cpu/nanoseconds". Types that not
  // all profiles have are left out with a warning, because their sum would cover only some
  // profiles; `compared` then is the default type.
  Result<StackProfile> finish(const std::string& compared, Diagnostics& diagnostics) &&;

 private:
  using TypeName = std::pair<std::string, std::string>;  // and unit

  static std::vector<TypeName> types_of(const StackProfile& profile);

  // By sample types and period type, because only profiles that agree on these can be added up.
  std::map<std::vector<TypeName>, StackMerger> mergers_;
};

}  // namespace pgo
