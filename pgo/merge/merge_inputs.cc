#include "pgo/merge/merge_inputs.h"

#include <algorithm>
#include <numeric>

#include "pgo/profile/merge_factor.h"

namespace pgo {

std::optional<std::string> explain_by_weight(const MergePlan& plan) {
  auto found = std::find_if(plan.weights.begin(), plan.weights.end(), [](const auto& weight) {
    return weight.second.numerator < weight.second.denominator;
  });
  if (found == plan.weights.end()) {
    auto light = std::find_if(plan.files.begin(), plan.files.end(), [](const InputFile& file) {
      return file.weight.numerator < file.weight.denominator;
    });
    if (light == plan.files.end()) return std::nullopt;
    return "nothing is left: the inputs count nothing, or what they count is rounded to 0, as the "
           "weight of " +
           light->shown() + " in its bundle is below the mean";
  }
  const auto& [path, weight] = *found;
  return "nothing is left: the inputs contain no counts, or all of them are rounded to 0, because "
         "\xFF{weight} " +
         path + "=" + std::to_string(weight.numerator) + "/" + std::to_string(weight.denominator) +
         " is below 1; use weights of 1 or more";
}

Result<std::map<std::string, uint64_t>> whole_multiples(const MergePlan& plan) {
  constexpr uint64_t kMax = uint64_t{1} << 40;
  uint64_t denominator = 1;
  for (const InputFile& file : plan.files) {
    // Both are at most 2^40.
    const WideFactor common = WideFactor{denominator} /
                              std::gcd(denominator, file.weight.denominator) *
                              file.weight.denominator;
    if (common > kMax)
      return fail(ErrorKind::kUnsupported,
                  file.shown() +
                      ": the weights of its bundle have no whole numbers below 2^40 with "
                      "the same ratios, and LLVM sample profiles take only these",
                  "merge address profiles or stack profiles, and convert the result");
    denominator = static_cast<uint64_t>(common);
  }
  std::map<std::string, uint64_t> multiples;
  for (const InputFile& file : plan.files) {
    auto given = plan.weights.find(file.path);
    const Weight weight = given == plan.weights.end() ? Weight() : given->second;
    if (weight.numerator % weight.denominator != 0)
      return fail(ErrorKind::kUsage, "\xFF{weight} " + file.path +
                                         ": LLVM sample profiles take whole weights of 1 or more");
    multiples[file.path] = saturating_multiply(
        saturating_multiply(weight.numerator / weight.denominator, file.weight.numerator),
        denominator / file.weight.denominator);
  }
  return multiples;
}

Weight MergeInputs::weight_of(size_t file) const {
  auto found = plan_.weights.find(plan_.files[file].path);
  return found == plan_.weights.end() ? Weight() : found->second;
}

size_t MergeInputs::worker_count() const {
  return std::clamp<size_t>(size(), 1, resolve_jobs(jobs_));
}

void MergeInputs::warn_of_other_kind(size_t file, const char* kind,
                                     Diagnostics& diagnostics) const {
  diagnostics.warn("not-a-profile", plan_.files[file].shown() + ": was skipped: not " + kind);
}

}  // namespace pgo
