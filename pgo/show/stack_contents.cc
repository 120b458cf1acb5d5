#include "pgo/show/stack_contents.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "pgo/ingest/stack_input.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

std::map<std::string, size_t> count_labels(const StackProfile& profile) {
  std::map<std::string, std::set<std::pair<StringId, int64_t>>> values;
  for (size_t set = 0; set < profile.labels.size(); set++)
    for (const StackLabel& label : profile.labels[set])
      values[std::string(profile.text(label.key))].emplace(label.text, label.number);
  std::map<std::string, size_t> counts;
  for (const auto& [key, different] : values) counts[key] = different.size();
  return counts;
}

// The innermost function of a stack; null for a stack without one.
const StackFunction* find_leaf(const StackProfile& profile, StackId id) {
  auto stack = profile.stacks[static_cast<size_t>(id)];
  if (stack.empty()) return nullptr;
  auto lines = profile.lines[static_cast<size_t>(stack[0])];
  return lines.empty() ? nullptr : &profile.functions[static_cast<size_t>(lines[0].function)];
}

// By how far from 0 is what each function counts itself, of the sample type that is shown.
void add_hottest(const StackProfile& profile, size_t top, StackContents& contents) {
  if (profile.sample_types.empty()) return;
  std::map<std::string_view, int64_t> values;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    const StackFunction* function = find_leaf(profile, profile.samples[i].stack);
    if (function == nullptr) continue;
    int64_t value = profile.values_of(i)[contents.shown_type];
    int64_t& sum = values[profile.text(function->name)];
    sum = sum_of(sum, value);
    contents.hottest_total = saturating_add(contents.hottest_total, magnitude_of(value));
  }
  using Leaf = std::pair<std::string_view, int64_t>;
  std::vector<Leaf> functions(values.begin(), values.end());
  std::stable_sort(functions.begin(), functions.end(), [](const Leaf& a, const Leaf& b) {
    return magnitude_of(a.second) > magnitude_of(b.second);
  });
  functions.resize(std::min(top, functions.size()));
  for (const auto& [name, value] : functions)
    contents.hottest.push_back({std::string(name), value});
}

}  // namespace

Result<StackContents> read_stack_contents(const InputBytes& input, size_t top) {
  StackContents contents;
  PGO_TRY(StackProfile profile, read_stack_profile(input, contents.diagnostics));
  profile.normalize();
  contents.format = input.format().value_or(Format::kPprof);
  contents.inflated_size = input.contents().size();
  contents.totals = totals_of(profile);
  if (!profile.sample_types.empty()) {
    contents.shown_type = shown_type(profile);
    contents.is_default_type = profile.text(profile.sample_types[contents.shown_type].type) ==
                               profile.text(profile.default_sample_type);
  }
  contents.period = profile.period;
  contents.period_type = profile.text(profile.period_type.type);
  contents.period_unit = profile.text(profile.period_type.unit);
  contents.time = profile.time;
  contents.duration = profile.duration;
  contents.samples = profile.samples.size();
  contents.locations = profile.locations.size();
  contents.functions = profile.functions.size();
  contents.labels = count_labels(profile);
  contents.builds = list_builds(profile);
  add_hottest(profile, top, contents);
  return contents;
}

}  // namespace pgo
