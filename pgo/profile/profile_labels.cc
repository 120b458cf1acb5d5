#include "pgo/profile/profile_labels.h"

#include <set>
#include <utility>

namespace pgo {

std::string label_text(const StackProfile& profile, const StackLabel& label) {
  if (!label.is_number()) return std::string(profile.text(label.text));
  return std::to_string(label.number) + std::string(profile.text(label.unit));
}

void drop_other_labels(StackProfile& profile, const Labels& of_profile, Diagnostics& diagnostics) {
  if (of_profile.empty()) return;
  std::set<std::string> dropped;
  FlatLists<StackLabel> sets;
  for (size_t set = 0; set < profile.labels.size(); set++) {
    for (const StackLabel& label : profile.labels[set]) {
      auto known = of_profile.find(std::string(profile.text(label.key)));
      if (known == of_profile.end() || known->second == label_text(profile, label))
        sets.push(label);
      else
        dropped.insert(known->first);
    }
    sets.end_list();
  }
  if (dropped.empty()) return;
  profile.labels = std::move(sets);
  for (const std::string& key : dropped)
    diagnostics.warn(kOtherLabels, "samples have another " + key +
                                       " than the path or the bundle of their file; that of the "
                                       "path or the bundle is used");
}

}  // namespace pgo
