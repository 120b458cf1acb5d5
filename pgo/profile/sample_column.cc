#include "pgo/profile/sample_column.h"

#include <algorithm>
#include <optional>

namespace pgo {
namespace {

std::string list_types(const StackProfile& profile) {
  std::string text;
  for (const ValueType& type : profile.sample_types)
    text += "\n  " + std::string(profile.text(type.type)) + "  (" +
            std::string(profile.text(type.unit)) + ")";
  return text;
}

}  // namespace

uint64_t SampleColumn::samples_of(const StackProfile& profile, size_t sample) const {
  int64_t value = profile.values_of(sample)[index];
  if (value <= 0) return 0;
  auto unit = static_cast<uint64_t>(per_sample);
  return std::max<uint64_t>((static_cast<uint64_t>(value) + unit / 2) / unit, 1);
}

Result<SampleColumn> choose_sample_column(const StackProfile& profile, const std::string& wanted,
                                          const std::string& name) {
  const std::vector<ValueType>& types = profile.sample_types;
  auto find = [&](auto&& fits) {
    auto found = std::find_if(types.begin(), types.end(), fits);
    return found == types.end() ? std::optional<size_t>()
                                : std::optional<size_t>(static_cast<size_t>(found - types.begin()));
  };
  std::optional<size_t> chosen;
  if (!wanted.empty()) {
    chosen = find([&](const ValueType& type) { return profile.text(type.type) == wanted; });
    if (!chosen)
      return fail(ErrorKind::kUsage,
                  name + ": has no sample type '" + wanted + "'; it has:" + list_types(profile));
  } else {
    // Where it was, not how much it allocated or how long it waited.
    chosen = find([&](const ValueType& type) {
      return profile.text(type.type) == "samples" || profile.text(type.type) == "sample";
    });
    if (!chosen)
      chosen = find([&](const ValueType& type) { return profile.text(type.type) == "cpu"; });
    if (!chosen && types.size() == 1) chosen = 0;
    if (!chosen)
      return fail(ErrorKind::kInput, name + ": has no samples of CPU time, but:" +
                                         list_types(profile) + "\nname what to count with --event");
  }
  SampleColumn column{*chosen, 1};
  if (types[*chosen] == profile.period_type && profile.period > 0)
    column.per_sample = profile.period;
  return column;
}

}  // namespace pgo
