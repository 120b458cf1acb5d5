#include "pgo/cli/stack_builds.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "pgo/cli/funnel.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {

std::vector<StackBuild> list_builds(const StackProfile& profile) {
  std::map<std::pair<std::string_view, std::string_view>, StackBuild> builds;
  uint64_t total = 0;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    std::string_view id, path;
    auto stack = profile.stacks[static_cast<size_t>(profile.samples[i].stack)];
    MappingId mapping =
        stack.empty() ? kNoMapping : profile.locations[static_cast<size_t>(stack[0])].mapping;
    if (mapping != kNoMapping) {
      id = profile.text(profile.mappings[static_cast<size_t>(mapping)].build_id);
      path = profile.text(profile.mappings[static_cast<size_t>(mapping)].filename);
    }
    StackBuild& build = builds[{id, id.empty() ? path : std::string_view()}];
    build.id = id;
    if (build.path.empty() || (!path.empty() && path < build.path)) build.path = path;
    uint64_t value = static_cast<uint64_t>(std::max<int64_t>(profile.values_of(i).back(), 0));
    build.value = saturating_add(build.value, value);
    build.samples++;
    total = saturating_add(total, value);
  }
  std::vector<StackBuild> sorted;
  for (auto& [key, build] : builds) {
    build.total = total;
    sorted.push_back(build);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const StackBuild& a, const StackBuild& b) { return a.value > b.value; });
  return sorted;
}

std::string describe_build(const StackBuild& build) {
  return format_percent(build.value, build.total) +
         (build.id.empty() ? " without a build id" : " in build " + build.id) +
         (build.path.empty() ? "" : " (" + build.path + ")");
}

nlohmann::json builds_json(const StackProfile& profile) {
  nlohmann::json json = nlohmann::json::array();
  for (const StackBuild& build : list_builds(profile))
    json.push_back({{"build_id", build.id},
                    {"path", build.path},
                    {"value", build.value},
                    {"samples", build.samples}});
  return json;
}

nlohmann::json totals_json(const StackProfile& profile) {
  nlohmann::json json = nlohmann::json::object();
  for (size_t type = 0; type < profile.sample_types.size(); type++) {
    const ValueType& name = profile.sample_types[type];
    json[std::string(profile.text(name.type)) + "/" + std::string(profile.text(name.unit))] =
        total_of(profile, type);
  }
  return json;
}

}  // namespace pgo
