#include "pgo/diff/merged_difference.h"

#include <limits>
#include <string_view>

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

Result<void> MergedDifference::add(const StackProfile& profile, size_t side,
                                   const std::string& name) {
  if (side == 1) return merger_.add(profile, name);
  StackProfile base = profile;
  negate(base.values);
  mark_as_base(base);
  return merger_.add(base, name);
}

}  // namespace pgo
