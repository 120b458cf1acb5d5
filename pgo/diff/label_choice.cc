#include "pgo/diff/label_choice.h"

#include <algorithm>

namespace pgo {
namespace {

bool holds(const LabelConditions& conditions, const StackProfile& profile,
           std::span<const StackLabel> labels) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const LabelCondition& condition) {
    return std::any_of(labels.begin(), labels.end(), [&](const StackLabel& label) {
      return profile.text(label.key) == condition.key &&
             condition.holds(label_text(profile, label));
    });
  });
}

}  // namespace

void add_labels(StackProfile& profile, const Labels& of_file) {
  if (of_file.empty()) return;
  std::vector<StackLabel> added;
  for (const auto& [key, text] : of_file)
    added.push_back({profile.strings.add(key), profile.strings.add(text), kEmptyString, 0});
  FlatLists<StackLabel> sets;
  for (size_t set = 0; set < profile.labels.size(); set++) {
    std::span<const StackLabel> own = profile.labels[set];
    for (const StackLabel& label : own) sets.push(label);
    for (const StackLabel& label : added)
      if (std::none_of(own.begin(), own.end(), [&](const StackLabel& one) {
            return profile.text(one.key) == profile.text(label.key);
          }))
        sets.push(label);
    sets.end_list();
  }
  profile.labels = std::move(sets);
}

std::set<std::string> label_values(const StackProfile& profile, const std::string& key) {
  std::set<std::string> values;
  for (size_t set = 0; set < profile.labels.size(); set++)
    for (const StackLabel& label : profile.labels[set])
      if (profile.text(label.key) == key) values.insert(label_text(profile, label));
  return values;
}

std::vector<std::optional<MemberLabels>> choose_labels(
    const StackProfile& profile, const std::vector<LabelConditions>& alternatives,
    const std::string& stratum_key) {
  std::vector<std::optional<MemberLabels>> chosen;
  for (size_t set = 0; set < profile.labels.size(); set++) {
    std::span<const StackLabel> labels = profile.labels[set];
    bool counts = std::any_of(
        alternatives.begin(), alternatives.end(),
        [&](const LabelConditions& conditions) { return holds(conditions, profile, labels); });
    MemberLabels member;
    if (!stratum_key.empty()) member.stratum = kNoLabel;
    for (const StackLabel& label : labels) {
      if (profile.text(label.key) == kHostKey) member.host = label_text(profile, label);
      if (profile.text(label.key) == kHourKey) member.hour = label_text(profile, label);
      if (profile.text(label.key) == stratum_key && member.stratum == kNoLabel)
        member.stratum = label_text(profile, label);
    }
    chosen.push_back(counts ? std::optional(member) : std::nullopt);
  }
  return chosen;
}

}  // namespace pgo
