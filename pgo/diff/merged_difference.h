// Both sides of a comparison in one profile, as `go tool pprof -diff_base` writes it: the values of
// the first are negative, and its samples have the label pprof::base=true.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

  // `name` is for messages. Error: kMismatch when it counts something else than those before.
  Result<void> add(const StackProfile& profile, size_t side, const std::string& name);
  StackProfile finish(Diagnostics& diagnostics) && {
    return std::move(merger_).finish(diagnostics);
  }

 private:
  StackMerger merger_;
};

}  // namespace pgo
