// Merging profiles of stacks from files: all cores, bytes that depend on neither their number nor
// the order of inputs, memory for one merged profile for each thread.
#pragma once

#include <cstdint>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/merge_kinds.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

struct StackMerge {
  StackProfile profile;  // normalized
  uint64_t inputs = 0;   // that were merged
  Diagnostics diagnostics;
};

// Reads all files (twice when they are normalized) and adds them up. Files that were found in a
// directory and are no profiles are passed over. Errors: that of the first file, by path, which
// cannot be read; kEmpty when no sample is left.
Result<StackMerge> merge_stack_profiles(const std::vector<InputFile>& files,
                                        const MergeOptions& options);

}  // namespace pgo
