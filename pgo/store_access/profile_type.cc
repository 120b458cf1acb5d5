#include "pgo/store_access/profile_type.h"

#include <map>
#include <string_view>
#include <vector>

#include "pgo/profile/sample_value.h"
#include "pgo/store_access/shown_list.h"

namespace pgo::store_access {
namespace {

std::vector<std::string_view> parts_of(std::string_view type) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = type.find(':');
    parts.push_back(type.substr(0, end));
    if (end == type.npos) return parts;
    type.remove_prefix(end + 1);
  }
}

bool counts_samples(std::string_view sample) { return sample == "samples" || sample == "sample"; }

bool has_samples(const std::vector<std::string_view>& parts, const std::string& wanted) {
  if (!wanted.empty())
    return wanted == parts[1] || wanted == std::string(parts[1]) + "/" + std::string(parts[2]);
  return is_cpu_time(counts_samples(parts[1]) && !parts[3].empty() ? parts[3] : parts[1]);
}

}  // namespace

Result<std::string> choose_profile_type(const std::set<std::string, std::less<>>& types,
                                        const std::string& sample_type, const std::string& shown) {
  if (types.empty()) return std::string();
  std::map<std::string, std::string> found;  // by what differs besides the samples
  for (const std::string& type : types) {
    const std::vector<std::string_view> parts = parts_of(type);
    if (parts.size() < 5 || parts.size() > 6 || !has_samples(parts, sample_type)) continue;
    const std::string key =
        std::string(parts[0]) + (parts.size() == 6 ? ":" + std::string(parts[5]) : "");
    const auto [at, is_new] = found.emplace(key, type);
    if (!is_new && counts_samples(parts[1])) at->second = type;
  }
  if (found.size() == 1) return std::string(found.begin()->second);
  const std::string what =
      sample_type.empty() ? "time on the CPU" : "samples of the type '" + sample_type + "'";
  if (found.empty())
    return fail(ErrorKind::kUsage,
                shown + ": no profile type has " + what + "; it has: " + shown_list(types),
                "name one with \xFF{sample-type}, or in the URL with the parameter 'type'");
  std::set<std::string, std::less<>> several;
  for (const auto& [key, type] : found) several.insert(type);
  return fail(ErrorKind::kUsage,
              shown + ": several profile types have " + what + ": " + shown_list(several),
              "name one in the URL with the parameter 'type'");
}

std::string profile_name_of(const StackProfile& profile) {
  std::string name;
  for (const ValueType& type : profile.sample_types) {
    const std::string_view text = profile.text(type.type);
    if (is_cpu_time(text)) return "process_cpu";
    if (text.starts_with("alloc_") || text.starts_with("inuse_")) return "memory";
    if (text == "contentions" || text == "delay") return "mutex";
    if (name.empty()) name = text;
  }
  return name;
}

}  // namespace pgo::store_access
