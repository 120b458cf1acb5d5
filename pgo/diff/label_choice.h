// Which samples of a profile count, and whose they are, by their labels.
#pragma once

#include <compare>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/diff/side_files.h"
#include "pgo/profile/profile_labels.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// What hosts and hours are called among labels.
inline constexpr const char *kHostKey = "host", *kHourKey = "hour", *kCpuModelKey = "cpu_model";

// The member that samples are of; empty: not known.
struct MemberLabels {
  std::string host, hour;
  std::string stratum = {};  // empty: members are not divided by a label
  auto operator<=>(const MemberLabels&) const = default;
};

// What samples without a label are counted for.
inline constexpr const char* kNoLabel = "(none)";

// Gives samples the labels of their file that they have not themselves. O(labels).
void add_labels(StackProfile& profile, const Labels& of_file);

// All distinct values of a label, sorted.
std::set<std::string> label_values(const StackProfile& profile, const std::string& key);

// For each set of labels of `profile`: whose its samples are; nothing when none of `alternatives`
// holds. Of several values of a key one must match. `stratum_key`: the label whose value is the
// stratum; kNoLabel without it. O(labels * conditions).
std::vector<std::optional<MemberLabels>> choose_labels(
    const StackProfile& profile, const std::vector<LabelConditions>& alternatives,
    const std::string& stratum_key = {});

}  // namespace pgo
