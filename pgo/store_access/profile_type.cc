#include "pgo/store_access/profile_type.h"

#include <algorithm>
#include <array>
#include <map>

#include "pgo/profile/sample_value.h"
#include "pgo/store_access/shown_list.h"

namespace pgo::store_access {
namespace {

bool has_samples(const TypeParts& type, const std::string& wanted) {
  const std::string sample(type.sample);
  if (!wanted.empty()) return wanted == sample || wanted == sample + "/" + std::string(type.unit);
  return is_cpu_time(type.counts_samples() && !type.period.empty() ? type.period : type.sample);
}

bool has_unaskable(const std::set<std::string, std::less<>>& types) {
  return std::any_of(types.begin(), types.end(), [](const std::string& type) {
    return std::count(type.begin(), type.end(), ':') >= 5 && !parse_profile_type(type);
  });
}

}  // namespace

std::optional<TypeParts> parse_profile_type(std::string_view text) {
  std::array<std::string_view, 6> parts;
  size_t count = 0;
  for (bool has_more = true; has_more;) {
    if (count == parts.size()) return std::nullopt;
    const size_t end = std::min(text.find(':'), text.size());
    parts[count++] = text.substr(0, end);
    has_more = end < text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const bool is_delta = count == 6;
  if (count < 5 || (is_delta && parts[5] != "delta")) return std::nullopt;
  return TypeParts{parts[0], parts[1], parts[2], parts[3], parts[4], is_delta};
}

Result<std::string> choose_profile_type(const std::set<std::string, std::less<>>& types,
                                        const std::string& sample_type, const std::string& shown) {
  if (types.empty()) return std::string();
  // By what differs besides the samples. Types of other events count other things.
  std::map<std::string, std::string> found;
  for (const std::string& text : types) {
    const std::optional<TypeParts> type = parse_profile_type(text);
    if (!type || !has_samples(*type, sample_type)) continue;
    std::string key(type->name);
    key.append(":").append(type->period.empty() ? type->sample : type->period);
    if (type->is_delta) key += ":delta";
    const auto [at, is_new] = found.emplace(key, text);
    if (!is_new && type->counts_samples()) at->second = text;
  }
  if (found.size() == 1) return std::string(found.begin()->second);
  const std::string what =
      sample_type.empty() ? "time on the CPU" : "samples of the type '" + sample_type + "'";
  if (found.empty())
    return fail(ErrorKind::kUsage,
                shown + ": no profile type has " + what + "; it has: " + shown_list(types),
                has_unaskable(types)
                    ? "a type with a colon in one of its parts, such as cycles:u, cannot be asked "
                      "for; upload such profiles again with 'pgo upload', which leaves it out"
                    : "name one with \xFF{sample-type}, or in the URL with the parameter 'type'");
  std::set<std::string, std::less<>> several;
  for (const auto& [key, type] : found) several.insert(type);
  return fail(ErrorKind::kUsage,
              shown + ": several profile types have " + what + ": " + shown_list(several),
              "name one in the URL with the parameter 'type'");
}

std::string profile_name_of(const StackProfile& profile) {
  std::string name;
  for (size_t type = 0; type < profile.sample_types.size(); type++) {
    const std::string_view event = counted_event(profile, type);
    if (is_cpu_time(event)) return "process_cpu";
    if (event.starts_with("alloc_") || event.starts_with("inuse_")) return "memory";
    if (event == "contentions" || event == "delay") return "mutex";
    if (name.empty()) name = event;
  }
  return name;
}

}  // namespace pgo::store_access
