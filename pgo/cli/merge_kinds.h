// What `pgo merge` merges: one function for each kind of profiles. What is wanted decides which;
// inputs of another kind are errors, unless they were only found in a directory.
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/merge_inputs.h"
#include "pgo/cli/output_file.h"
#include "pgo/profile/label_rules.h"

namespace pgo {

// What inputs are made equal in before they are added: how long they were recorded, how much they
// count, or how much the host counts that they are of.
enum class Normalization { kNone, kDuration, kSamples, kHost };

struct MergeOptions {
  Normalization normalization = Normalization::kNone;
  std::string host_label = "host";
  std::map<std::string, Weight> weights;  // by path of an input; 1 for others
  std::vector<std::string> sample_types;  // none: all
  std::vector<BuildId> builds;            // none: all
  LabelRules labels;
  unsigned jobs = 0;  // threads; 0: all cores
};

struct MergeResult {
  std::vector<std::string> contents;  // of each output
  std::vector<std::string> notes;     // what was merged, for people
  Diagnostics diagnostics;
  nlohmann::json json;  // without its warnings and outputs
};

// A note for each of the largest builds, when there are several; `builds` are sorted.
template <typename Build>
void add_builds(const std::vector<Build>& builds, std::vector<std::string>& notes) {
  constexpr size_t kShown = 5;
  if (builds.size() < 2) return;
  for (size_t i = 0; i < std::min(builds.size(), kShown); i++)
    notes.push_back(describe_build(builds[i]));
  if (builds.size() > kShown)
    notes.push_back("and " + format_count(builds.size() - kShown) + " further builds");
}

// Each writes what it merged in the formats of `outputs`, which are all of its kind. Errors: that
// of the first file, by path, which cannot be read; kEmpty when nothing is left.
Result<MergeResult> merge_stacks(const std::vector<InputFile>& files, const MergeOptions& options,
                                 const std::vector<OutputFile>& outputs);
Result<MergeResult> merge_addresses(const std::vector<InputFile>& files,
                                    const MergeOptions& options,
                                    const std::vector<OutputFile>& outputs);
Result<MergeResult> merge_llvm_samples(const std::vector<InputFile>& files,
                                       const MergeOptions& options,
                                       const std::vector<OutputFile>& outputs);

}  // namespace pgo
