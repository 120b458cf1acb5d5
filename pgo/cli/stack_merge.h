// Merging profiles of stacks from files: all cores, bytes that depend on neither their number nor
// the order of inputs, memory for one merged profile for each thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/cli/input_files.h"
#include "pgo/profile/stack_merger.h"

namespace pgo {

// What inputs are made equal in before they are added: how long they were recorded, how much they
// count, or how much the host counts that they are of.
enum class Normalization { kNone, kDuration, kSamples, kHost };

struct Weight {
  uint64_t numerator = 1, denominator = 1;
  bool operator==(const Weight&) const = default;
};

// "3", "0.5" or "3/2". Error: kUsage.
Result<Weight> parse_weight(const std::string& text);

struct StackMergeOptions {
  Normalization normalization = Normalization::kNone;
  std::string host_label = "host";
  std::map<std::string, Weight> weights;  // by path of an input; 1 for others
  std::vector<std::string> sample_types;  // none: all
  std::vector<BuildId> builds;            // none: all
  LabelRules labels;
  unsigned jobs = 0;  // threads; 0: all cores
};

struct StackMerge {
  StackProfile profile;  // normalized
  uint64_t inputs = 0;   // that were merged
  Diagnostics diagnostics;
};

// Reads all files (twice when they are normalized) and adds them up. Files that were found in a
// directory and are no profiles are passed over. Errors: that of the first file, by path, which
// cannot be read; kEmpty when no sample is left.
Result<StackMerge> merge_stack_profiles(const std::vector<InputFile>& files,
                                        const StackMergeOptions& options);

}  // namespace pgo
