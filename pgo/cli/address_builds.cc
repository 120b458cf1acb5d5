#include "pgo/cli/address_builds.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pgo/cli/funnel.h"
#include "pgo/profile/address_selection.h"

namespace pgo {

std::vector<AddressBuild> list_builds(const AddressProfile& profile) {
  bool has_traces = std::any_of(profile.binaries.begin(), profile.binaries.end(),
                                [](const BinaryCounts& counts) { return !counts.traces.empty(); });
  std::vector<AddressBuild> builds;
  uint64_t total = 0;
  for (const BinaryCounts& counts : profile.binaries) {
    uint64_t count = has_traces ? sum_of_traces(counts) : sum_of_ips(counts);
    total = saturating_add(total, count);
    builds.push_back({counts.id.hex(), counts.path_hint, count, 0, counts.traces.size(),
                      counts.ips.size(), counts.calls.size()});
  }
  for (AddressBuild& build : builds) build.total = total;
  std::stable_sort(builds.begin(), builds.end(),
                   [](const AddressBuild& a, const AddressBuild& b) { return a.count > b.count; });
  return builds;
}

std::string describe_build(const AddressBuild& build) {
  return format_percent(build.count, build.total) +
         (build.id.empty() ? " without a build id" : " in build " + build.id) +
         (build.path.empty() ? "" : " (" + build.path + ")");
}

nlohmann::json builds_json(const AddressProfile& profile) {
  nlohmann::json json = nlohmann::json::array();
  for (const AddressBuild& build : list_builds(profile))
    json.push_back({{"build_id", build.id},
                    {"path", build.path},
                    {"count", build.count},
                    {"traces", build.traces},
                    {"ips", build.ips},
                    {"calls", build.calls}});
  return json;
}

}  // namespace pgo
