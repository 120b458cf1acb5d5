#include "pgo/stacks/machine_labels.h"

#include <utility>
#include <vector>

namespace pgo {

// Only recordings have a host and a CPU model; their samples have no labels except `comm`.
void add_machine_labels(StackSource& source) {
  StackProfile& profile = source.profile;
  std::vector<StackLabel> machine;
  auto add = [&](const char* key, const std::string& text) {
    if (!text.empty())
      machine.push_back({profile.strings.add(key), profile.strings.add(text), kEmptyString, 0});
  };
  add("host", source.host);
  add("cpu_model", source.cpu_model);
  if (machine.empty()) return;
  FlatLists<StackLabel> sets;
  for (size_t set = 0; set < profile.labels.size(); set++) {
    for (const StackLabel& label : profile.labels[set]) sets.push(label);
    for (const StackLabel& label : machine) sets.push(label);
    sets.end_list();
  }
  profile.labels = std::move(sets);
}

}  // namespace pgo
