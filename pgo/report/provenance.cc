#include "pgo/report/provenance.h"

#include <map>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

constexpr size_t kShownValues = 8;

nlohmann::json window_json(const Origins::Window& window) {
  return {{"from", format_time(window.begin)}, {"to", format_time(window.end)}};
}

// "web-1 (2), web-2, and 3 others".
std::string values_text(const Origins::Values& values) {
  std::string text;
  uint64_t shown = 0, count = 0;
  for (const auto& [value, profiles] : values.of) {
    if (shown == kShownValues) break;
    text += (text.empty() ? "" : ", ") + value +
            (profiles > 1 ? " (" + format_count(profiles) + ")" : "");
    count = saturating_add(count, profiles);
    shown++;
  }
  if (values.profiles > count)
    text += (text.empty() ? "" : "; ") + format_count(values.profiles - count, "profile") +
            " of others";
  return text;
}

}  // namespace

nlohmann::json origins_json(const Origins& origins) {
  nlohmann::json json{{"profiles", origins.profiles}, {"labels", nlohmann::json::object()}};
  if (origins.window) json["window"] = window_json(*origins.window);
  for (const auto& [key, values] : origins.labels) json["labels"][key] = values.of;
  return json;
}

nlohmann::json modified_json(const Origins& modified) {
  nlohmann::json json{{"recordings", modified.profiles}};
  if (modified.window) json["window"] = window_json(*modified.window);
  return json;
}

void add_origins(const Origins& origins, TextSheet& sheet) {
  if (origins.empty()) return;
  if (origins.window)
    sheet.row("recorded",
              format_time(origins.window->begin) + " to " + format_time(origins.window->end));
  for (const auto& [key, values] : origins.labels) sheet.row(key, values_text(values));
}

Origins origins_of(const Bundle& bundle) {
  Origins origins;
  for (const BundleMember& member : bundle.members) origins.add(member.origins());
  return origins;
}

nlohmann::json bundle_json(const Bundle& bundle) {
  uint64_t samples = 0;
  std::map<std::string, uint64_t> builds;  // members with samples of each
  for (const BundleMember& member : bundle.members) {
    samples = saturating_add(samples, member.samples);
    for (const std::string& build : member.builds) builds[build]++;
  }
  nlohmann::json members = origins_json(origins_of(bundle));
  members["profiles"] = bundle.members.size();
  members["samples"] = samples;
  members["builds"] = builds;
  return {{"tool_version", bundle.tool_version},
          {"sources", bundle.sources},
          {"query", bundle.query},
          {"members", std::move(members)}};
}

nlohmann::json provenance_json(const std::vector<std::shared_ptr<const InputBundle>>& bundles) {
  nlohmann::json json = nlohmann::json::array();
  for (const std::shared_ptr<const InputBundle>& input : bundles) {
    nlohmann::json one = bundle_json(input->bundle);
    one["path"] = input->directory;
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace pgo
