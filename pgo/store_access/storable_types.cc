#include "pgo/store_access/storable_types.h"

#include <algorithm>
#include <optional>
#include <set>

#include "pgo/profile/sample_value.h"
#include "pgo/profile/stack_selection.h"

namespace pgo::store_access {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string plain_word(std::string_view text) {
  std::string word(text);
  for (char& c : word)
    if (!is_plain(c)) c = '_';
  return word;
}

ValueType storable(StackProfile& profile, const ValueType& type, const std::string& ending = "") {
  const std::string unit(profile.text(type.unit));
  const std::string name = storable_type(profile.text(type.type), unit);
  return {profile.strings.add(name + ending), profile.strings.add(plain_word(unit))};
}

std::optional<size_t> find_type(const StackProfile& profile,
                                bool (*fits)(const StackProfile&, const ValueType&)) {
  for (size_t i = 0; i < profile.sample_types.size(); i++)
    if (fits(profile, profile.sample_types[i])) return i;
  return std::nullopt;
}

bool counts_samples_of(const StackProfile& profile, const ValueType& type) {
  return counts_samples(profile.text(type.type));
}

bool is_of_period(const StackProfile& profile, const ValueType& type) {
  return type == profile.period_type;
}

int64_t mean(const StackProfile& profile, size_t of, size_t by) {
  double sum = 0, count = 0;
  for (size_t sample = 0; sample < profile.samples.size(); sample++) {
    sum += static_cast<double>(profile.values_of(sample)[of]);
    count += static_cast<double>(profile.values_of(sample)[by]);
  }
  constexpr double kLargest = 9e18;
  return count > 0 ? static_cast<int64_t>(std::clamp(sum / count + .5, 1., kLargest)) : 1;
}

void find_period(StackProfile& profile) {
  const std::optional<size_t> samples = find_type(profile, counts_samples_of);
  if (profile.period > 0 || !samples) return;
  const std::optional<size_t> event = find_type(profile, is_of_period);
  if (event && *event != *samples) {
    profile.period = mean(profile, *event, *samples);
  } else {
    profile.period_type = profile.sample_types[*samples];
    profile.period = 1;
  }
}

}  // namespace

std::string storable_type(std::string_view type, std::string_view unit) {
  if (counts_samples(type) || type.empty()) return std::string(type);
  if (is_cpu_time(type) && nanoseconds_of_unit(unit) != 0) return "cpu";
  return plain_word(event_without_modifiers(type));
}

void make_types_storable(StackProfile& profile) {
  find_period(profile);
  profile.period_type = storable(profile, profile.period_type);
  std::set<std::string> taken;
  for (size_t i = 0; i < profile.sample_types.size(); i++) {
    const ValueType type = profile.sample_types[i];
    // No two become one.
    for (std::string ending;; ending += '_') {
      profile.sample_types[i] = storable(profile, type, ending);
      if (taken.insert(type_name(profile, i)).second) break;
    }
  }
  profile.normalize();
}

}  // namespace pgo::store_access
