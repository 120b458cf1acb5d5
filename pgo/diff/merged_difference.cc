#include "pgo/diff/merged_difference.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

constexpr std::string_view kBaseKey = "pprof::base";

void mark_as_base(StackProfile& profile) {
  StackLabel base{
      .key = profile.strings.add(kBaseKey), .text = profile.strings.add("true"), .unit = {}};
  FlatLists<StackLabel> labels;
  for (size_t set = 0; set < profile.labels.size(); set++) {
    for (const StackLabel& label : profile.labels[set]) labels.push(label);
    labels.push(base);
    labels.end_list();
  }
  profile.labels = std::move(labels);
}

struct SharedTypes {
  std::vector<std::string> of_all, of_some;  // "cpu/nanoseconds"
};

// The sample types that all of `parts` have, in the order of the first, and those that some have.
SharedTypes shared_types(const std::vector<StackProfile>& parts) {
  std::map<std::string, size_t> uses;
  for (const StackProfile& part : parts) {
    std::set<std::string> its;
    for (size_t type = 0; type < part.sample_types.size(); type++)
      its.insert(type_name(part, type));
    for (const std::string& name : its) uses[name]++;
  }
  SharedTypes shared;
  for (size_t type = 0; type < parts[0].sample_types.size(); type++) {
    auto use = uses.find(type_name(parts[0], type));
    if (use == uses.end() || use->second != parts.size()) continue;
    shared.of_all.push_back(use->first);
    uses.erase(use);  // add it only once, even if the part lists it twice
  }
  for (const auto& [name, parts_with_it] : uses) shared.of_some.push_back(name);
  return shared;
}

}  // namespace

bool is_difference(const StackProfile& profile) {
  for (size_t set = 0; set < profile.labels.size(); set++)
    if (MergedDifference::is_base(profile, LabelsId(set))) return true;
  return false;
}

bool MergedDifference::is_base(const StackProfile& profile, LabelsId labels) {
  for (const StackLabel& label : profile.labels[static_cast<size_t>(labels)])
    if (profile.text(label.key) == kBaseKey) return true;
  return false;
}

void MergedDifference::negate(std::vector<int64_t>& values) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  for (int64_t& value : values)
    value = value == kLeast ? std::numeric_limits<int64_t>::max() : -value;
}

std::vector<MergedDifference::TypeName> MergedDifference::types_of(const StackProfile& profile) {
  std::vector<TypeName> types;
  auto add = [&](const ValueType& type) {
    types.emplace_back(profile.text(type.type), profile.text(type.unit));
  };
  for (const ValueType& type : profile.sample_types) add(type);
  add(profile.period_type);
  return types;
}

Result<void> MergedDifference::add(const StackProfile& profile, size_t side,
                                   const std::string& name, MergeFactor factor) {
  StackMerger& merger = mergers_[types_of(profile)];
  if (side == 1) return merger.add(profile, name, {&factor, 1});
  StackProfile base = profile;
  negate(base.values);
  mark_as_base(base);
  return merger.add(base, name, {&factor, 1});
}

Result<StackProfile> MergedDifference::finish(const std::string& compared,
                                              Diagnostics& diagnostics) && {
  std::vector<StackProfile> parts;
  for (auto& [types, merger] : mergers_) parts.push_back(std::move(merger).finish(diagnostics));
  if (parts.size() == 1) return std::move(parts[0]);

  // The parts have different types: keep those that all of them have.
  const SharedTypes types = shared_types(parts);
  for (const std::string& type : types.of_some)
    diagnostics.warn("left-out-types",
                     "the merged difference leaves out " + type + ", which not all profiles count");
  const ValueType period = parts[0].period_type;
  const bool same_period = std::all_of(parts.begin(), parts.end(), [&](const StackProfile& part) {
    return part.text(part.period_type.type) == parts[0].text(period.type) &&
           part.text(part.period_type.unit) == parts[0].text(period.unit);
  });
  StackMerger merger;
  for (StackProfile& part : parts) {
    PGO_CHECK(select_sample_types(part, types.of_all, "the comparison"));
    if (!same_period) part.period_type = {}, part.period = 0;
    PGO_TRY(size_t shown, find_sample_type(part, compared, "the comparison"));
    part.default_sample_type = part.sample_types[shown].type;
    PGO_CHECK(merger.add(part, "the comparison"));
  }
  return std::move(merger).finish(diagnostics);
}

}  // namespace pgo
