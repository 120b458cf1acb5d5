// Which samples of a profile count, and whose they are, by their labels and those of their file.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "pgo/diff/side_argument.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// What hosts and hours are called among labels.
inline constexpr const char *kHostKey = "host", *kHourKey = "hour", *kCpuModelKey = "cpu_model";

// The member that samples are of; empty: not known.
struct MemberLabels {
  std::string host, hour;
  auto operator<=>(const MemberLabels&) const = default;
};

// For each set of labels of `profile`: whose its samples are; nothing when a condition does not
// hold. Labels of samples override those of their file. O(labels * conditions).
std::vector<std::optional<MemberLabels>> choose_labels(
    const StackProfile& profile, const Labels& of_file,
    const std::vector<LabelCondition>& conditions);

}  // namespace pgo
