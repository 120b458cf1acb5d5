#include "pgo/diff/sample_weight.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "pgo/base/portable_math.h"
#include "pgo/diff/event_name.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

// "alloc" of "alloc_space": objects and bytes of one kind are counted at the same places.
std::string_view kind_of(std::string_view type) { return type.substr(0, type.find('_')); }

bool is_count_of_samples(const StackProfile& profile, const ValueType& type) {
  std::string_view name = profile.text(type.type);
  return profile.text(type.unit) == "count" && (counts_samples(name) || name == "contentions");
}

// Finds a type by its full name, otherwise by the name of its event if only one type matches.
Result<size_t> find_type(const StackProfile& profile, const std::string& wanted,
                         const std::string& name) {
  Result<size_t> exact = find_sample_type(profile, wanted, name);
  if (exact) return exact;
  std::vector<size_t> found;
  for (size_t at = 0; at < profile.sample_types.size(); at++) {
    const ValueType& type = profile.sample_types[at];
    std::string event(split_event_name(profile.text(type.type)).event);
    if (wanted == event || wanted == event + "/" + std::string(profile.text(type.unit)))
      found.push_back(at);
  }
  return found.size() == 1 ? Result<size_t>(found[0]) : exact;
}

}  // namespace

Result<SampleWeight> SampleWeight::choose(const StackProfile& profile, const std::string& wanted,
                                          const std::string& name) {
  SampleWeight weight;
  const size_t types = profile.sample_types.size();
  if (types == 0) return fail(ErrorKind::kEmpty, name + ": counts nothing");
  if (wanted.empty()) {
    weight.type_ = shown_type(profile);
  } else {
    PGO_TRY(weight.type_, find_type(profile, wanted, name));
  }
  for (size_t at = 0; at < types && !weight.counted_by_; at++)
    if (is_count_of_samples(profile, profile.sample_types[at])) weight.counted_by_ = at;
  if (weight.counted_by_) return weight;
  std::string_view kind = kind_of(profile.text(profile.sample_types[weight.type_].type));
  for (size_t at = 0; at < types && profile.period > 0; at++) {
    const ValueType& type = profile.sample_types[at];
    if (type.unit != profile.period_type.unit) continue;
    bool is_same_kind = kind_of(profile.text(type.type)) == kind;
    if (!is_same_kind && weight.counted_by_) continue;
    weight.counted_by_ = at;
    weight.period_ = static_cast<double>(profile.period);
    if (is_same_kind) break;
  }
  if (!weight.counted_by_) return weight;
  // "inuse_objects" beside "inuse_space".
  const ValueType& bytes = profile.sample_types[*weight.counted_by_];
  for (size_t at = 0; at < types; at++) {
    const ValueType& type = profile.sample_types[at];
    if (profile.text(bytes.unit) == "bytes" && profile.text(type.unit) == "count" &&
        profile.text(type.type).ends_with("objects") &&
        kind_of(profile.text(type.type)) == kind_of(profile.text(bytes.type)))
      weight.objects_ = at;
  }
  return weight;
}

double SampleWeight::samples(const StackProfile& profile, size_t sample) const {
  if (!counted_by_) return 1;
  const std::span<const int64_t> values = profile.values_of(sample);
  double count = static_cast<double>(values[*counted_by_]) / period_;
  if (objects_ && values[*objects_] > 0) {
    double objects = static_cast<double>(values[*objects_]);
    count = objects * -portable_expm1(-count / objects);
  }
  return std::max(count, 1.0);
}

}  // namespace pgo
