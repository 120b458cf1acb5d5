#include "pgo/profile/stack_selection.h"

#include <algorithm>
#include <limits>

namespace pgo {
namespace {

std::string full_name(const StackProfile& profile, const ValueType& type) {
  return std::string(profile.text(type.type)) + "/" + std::string(profile.text(type.unit));
}

Result<size_t> find_type(const StackProfile& profile, const std::string& wanted,
                         const std::string& name) {
  std::string counted;
  for (size_t i = 0; i < profile.sample_types.size(); i++) {
    std::string full = full_name(profile, profile.sample_types[i]);
    if (wanted == full || wanted == profile.text(profile.sample_types[i].type)) return i;
    counted += (counted.empty() ? "" : ", ") + full;
  }
  return fail(ErrorKind::kMismatch, name + ": does not count " + wanted + ", but " +
                                        (counted.empty() ? "nothing" : counted));
}

}  // namespace

Result<void> select_sample_types(StackProfile& profile, const std::vector<std::string>& types,
                                 const std::string& name) {
  std::vector<size_t> columns;
  std::vector<ValueType> chosen;
  for (const std::string& type : types) {
    PGO_TRY(size_t column, find_type(profile, type, name));
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
  size_t types = profile.sample_types.size(), kept = 0;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    auto stack = profile.stacks[static_cast<size_t>(profile.samples[i].stack)];
    if (std::none_of(stack.begin(), stack.end(), is_in)) continue;
    profile.samples[kept] = profile.samples[i];
    for (size_t type = 0; type < types; type++)
      profile.values[kept * types + type] = profile.values[i * types + type];
    kept++;
  }
  profile.samples.resize(kept);
  profile.values.resize(kept * types);
}

int64_t total_of(const StackProfile& profile, size_t type) {
  int64_t total = 0;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    int64_t value = profile.values_of(i)[type];
    if (__builtin_add_overflow(total, value, &total))
      total = value > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
  }
  return total;
}

}  // namespace pgo
