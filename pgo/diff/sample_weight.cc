#include "pgo/diff/sample_weight.h"

#include <algorithm>
#include <string_view>

#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

// "alloc" of "alloc_space": objects and bytes of one kind are counted at the same places.
std::string_view kind_of(std::string_view type) { return type.substr(0, type.find('_')); }

bool is_count_of_samples(const StackProfile& profile, const ValueType& type) {
  std::string_view name = profile.text(type.type);
  return profile.text(type.unit) == "count" &&
         (name == "samples" || name == "sample" || name == "contentions");
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
    PGO_TRY(weight.type_, find_sample_type(profile, wanted, name));
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
  return weight;
}

std::string SampleWeight::type_text(const StackProfile& profile) const {
  return type_name(profile, type_);
}

double SampleWeight::samples(const StackProfile& profile, size_t sample) const {
  if (!counted_by_) return 1;
  double count = static_cast<double>(profile.values_of(sample)[*counted_by_]) / period_;
  return std::max(count, 1.0);
}

}  // namespace pgo
