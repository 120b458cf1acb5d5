#include "pgo/diff/label_choice.h"

#include <algorithm>

namespace pgo {

std::vector<std::optional<MemberLabels>> choose_labels(
    const StackProfile& profile, const Labels& of_file,
    const std::vector<LabelCondition>& conditions) {
  std::vector<std::optional<MemberLabels>> chosen;
  for (size_t set = 0; set < profile.labels.size(); set++) {
    Labels labels = of_file;
    for (const StackLabel& label : profile.labels[set])
      labels[std::string(profile.text(label.key))] =
          label.is_number() ? std::to_string(label.number) : std::string(profile.text(label.text));
    bool counts =
        std::all_of(conditions.begin(), conditions.end(), [&](const LabelCondition& condition) {
          auto label = labels.find(condition.key);
          return label != labels.end() && condition.holds(label->second);
        });
    chosen.push_back(counts ? std::optional(MemberLabels{labels[kHostKey], labels[kHourKey]})
                            : std::nullopt);
  }
  return chosen;
}

}  // namespace pgo
