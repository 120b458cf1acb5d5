#include "pgo/merge/merge_inputs.h"

#include <algorithm>

namespace pgo {

std::optional<std::string> explain_by_weight(const std::map<std::string, Weight>& weights) {
  auto found = std::find_if(weights.begin(), weights.end(), [](const auto& weight) {
    return weight.second.numerator < weight.second.denominator;
  });
  if (found == weights.end()) return std::nullopt;
  const auto& [path, weight] = *found;
  return "nothing is left: the inputs count nothing, or what they count is rounded to 0, as "
         "\xFF{weight} " +
         path + "=" + std::to_string(weight.numerator) + "/" + std::to_string(weight.denominator) +
         " is below 1; weights of 1 and more lose nothing";
}

Weight MergeInputs::weight_of(size_t file) const {
  auto found = plan_.weights.find(plan_.files[file].path);
  return found == plan_.weights.end() ? Weight() : found->second;
}

size_t MergeInputs::worker_count() const { return std::min<size_t>(resolve_jobs(jobs_), size()); }

void MergeInputs::warn_of_other_kind(size_t file, const char* kind,
                                     Diagnostics& diagnostics) const {
  diagnostics.warn("not-a-profile", plan_.files[file].path + ": was skipped: not " + kind);
}

}  // namespace pgo
