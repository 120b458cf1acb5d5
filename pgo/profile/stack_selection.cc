#include "pgo/profile/stack_selection.h"

#include <algorithm>
#include <limits>

namespace pgo {

Result<size_t> find_sample_type(const StackProfile& profile, const std::string& wanted,
                                const std::string& name) {
  std::string counted;
  for (size_t i = 0; i < profile.sample_types.size(); i++) {
    std::string full = type_name(profile, i);
    if (wanted == full || wanted == profile.text(profile.sample_types[i].type)) return i;
    counted += (counted.empty() ? "" : ", ") + full;
  }
  return fail(ErrorKind::kMismatch, name + ": does not count " + wanted + ", but " +
                                        (counted.empty() ? "nothing" : counted));
}

Result<void> select_sample_types(StackProfile& profile, const std::vector<std::string>& types,
                                 const std::string& name) {
  std::vector<size_t> columns;
  std::vector<ValueType> chosen;
  for (const std::string& type : types) {
    PGO_TRY(size_t column, find_sample_type(profile, type, name));
    columns.push_back(column);
    chosen.push_back(profile.sample_types[column]);
  }
  std::vector<int64_t> values;
  values.reserve(profile.samples.size() * columns.size());
  for (size_t i = 0; i < profile.samples.size(); i++)
    for (size_t column : columns) values.push_back(profile.values_of(i)[column]);
  profile.values = std::move(values);
  profile.sample_types = std::move(chosen);
  bool has_default = std::any_of(
      profile.sample_types.begin(), profile.sample_types.end(), [&](const ValueType& type) {
        return profile.text(type.type) == profile.text(profile.default_sample_type);
      });
  if (!has_default) profile.default_sample_type = kEmptyString;
  return ok();
}

void select_builds(StackProfile& profile, std::span<const BuildId> builds) {
  std::vector<bool> is_wanted;
  for (const StackMapping& mapping : profile.mappings) {
    BuildId id = profile.build_id_of(mapping);
    is_wanted.push_back(std::any_of(builds.begin(), builds.end(),
                                    [&](const BuildId& build) { return build.matches(id); }));
  }
  auto is_in = [&](LocationId id) {
    MappingId mapping = profile.locations[static_cast<size_t>(id)].mapping;
    return mapping != kNoMapping && is_wanted[static_cast<size_t>(mapping)];
  };
  keep_samples(profile, [&](size_t sample) {
    auto stack = profile.stacks[static_cast<size_t>(profile.samples[sample].stack)];
    return std::any_of(stack.begin(), stack.end(), is_in);
  });
}

NegativeSamples drop_negative_samples(StackProfile& profile, size_t type) {
  NegativeSamples dropped;
  keep_samples(profile, [&](size_t sample) {
    std::span<const int64_t> values = profile.values_of(sample);
    if (std::all_of(values.begin(), values.end(), [](int64_t value) { return value >= 0; }))
      return true;
    dropped.add(values[type]);
    return false;
  });
  return dropped;
}

size_t shown_type(const StackProfile& profile) {
  for (size_t i = 0; i < profile.sample_types.size(); i++)
    if (profile.default_sample_type != kEmptyString &&
        profile.text(profile.sample_types[i].type) == profile.text(profile.default_sample_type))
      return i;
  return profile.sample_types.size() - 1;
}

std::string type_name(const StackProfile& profile, size_t type) {
  const ValueType& name = profile.sample_types[type];
  return std::string(profile.text(name.type)) + "/" + std::string(profile.text(name.unit));
}

int64_t sum_of(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

int64_t total_of(const StackProfile& profile, size_t type) {
  int64_t total = 0;
  for (size_t i = 0; i < profile.samples.size(); i++)
    total = sum_of(total, profile.values_of(i)[type]);
  return total;
}

std::vector<SampleTotal> totals_of(const StackProfile& profile) {
  std::vector<SampleTotal> totals;
  for (size_t type = 0; type < profile.sample_types.size(); type++) {
    const ValueType& name = profile.sample_types[type];
    totals.push_back({std::string(profile.text(name.type)), std::string(profile.text(name.unit)),
                      total_of(profile, type)});
  }
  return totals;
}

}  // namespace pgo
