#include "pgo/report/build_table.h"

#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"

namespace pgo {

std::string describe_build(const BuildShare& build) {
  return (build.is_negative ? "-" : "") + format_percent(build.count, build.total) +
         (build.id.empty() ? " without a build ID" : " in build " + build.id) +
         (build.path.empty() ? "" : " (" + build.path + ")");
}

std::string format_build_id(const std::string& hex) { return hex.empty() ? "none" : hex; }

nlohmann::json address_builds_json(const std::vector<BuildShare>& builds) {
  nlohmann::json json = nlohmann::json::array();
  for (const BuildShare& build : builds)
    json.push_back({{"build_id", build.id},
                    {"path", build.path},
                    {"count", build.count},
                    {"traces", build.traces},
                    {"addresses", build.addresses},
                    {"calls", build.calls}});
  return json;
}

namespace {

// As large as it is, whatever its sign.
nlohmann::json signed_json(const BuildShare& build) {
  if (!build.is_negative) return build.count;
  return -static_cast<int64_t>(build.count - 1) - 1;
}

}  // namespace

nlohmann::json stack_builds_json(const std::vector<BuildShare>& builds) {
  nlohmann::json json = nlohmann::json::array();
  for (const BuildShare& build : builds)
    json.push_back({{"build_id", build.id},
                    {"path", build.path},
                    {"value", signed_json(build)},
                    {"samples", build.samples}});
  return json;
}

nlohmann::json totals_json(const std::vector<SampleTotal>& totals) {
  nlohmann::json json = nlohmann::json::object();
  for (const SampleTotal& total : totals) json[total.type + "/" + total.unit] = total.total;
  return json;
}

}  // namespace pgo
