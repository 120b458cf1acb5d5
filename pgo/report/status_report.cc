#include "pgo/report/status_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/report/json_text.h"
#include "pgo/report/message.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

// In whole seconds, and not in the future: the hour in a path ends when its last recording does.
std::string recorded_until(const ServiceStatus& status) {
  constexpr int64_t kInSecond = 1'000'000'000;
  if (!status.entry || !status.entry->window) return "-";
  const int64_t end =
      status.entry->window->end + std::min<int64_t>(status.age.value_or(0), 0);  // now, then
  return format_time(end / kInSecond * kInSecond);
}

const char* state_of(const ServiceStatus& status) {
  if (status.is_due()) return "due";
  return status.not_compared.empty() ? "ok" : "not checked";
}

}  // namespace

std::string status_text(const std::vector<ServiceStatus>& services) {
  if (services.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const ServiceStatus& status : services)
    rows.push_back({status.name, recorded_until(status), status.age ? age_text(*status.age) : "-",
                    status.match ? format_share(status.match->match_rate) : "-", state_of(status),
                    status.entry ? status.entry->manifest.substr(0, 19) : "-"});
  TextSheet sheet;
  sheet.table({{"PROFILE"},
               {"RECORDED UNTIL"},
               {"AGE", Align::kRight},
               {"MATCH", Align::kRight},
               {"STATE"},
               {"VERSION"}},
              rows);
  for (const ServiceStatus& status : services)
    for (const std::string& reason : status.due) sheet.line(status.name + " is due: " + reason);
  for (const ServiceStatus& status : services)
    if (!status.not_compared.empty())
      sheet.line(status.name + " was not compared with a build: " + status.not_compared);
  return sheet.text().substr(1);  // without the empty line before the table
}

nlohmann::json status_json(const std::vector<ServiceStatus>& services) {
  constexpr double kDay = 24 * 3600 * 1e9;
  nlohmann::json rows = nlohmann::json::array();
  for (const ServiceStatus& status : services) {
    nlohmann::json row = {
        {"name", status.name},
        {"due", status.due},
        {"age_days", status.age
                         ? nlohmann::json(rounded(static_cast<double>(*status.age) / kDay, 2))
                         : nlohmann::json()},
        {"match_rate",
         status.match ? nlohmann::json(rounded(status.match->match_rate, 4)) : nlohmann::json()},
        {"manifest", status.entry ? nlohmann::json(status.entry->manifest) : nlohmann::json()},
        {"reference", status.entry ? nlohmann::json(status.entry->reference) : nlohmann::json()},
        {"recorded_until", status.entry && status.entry->window
                               ? nlohmann::json(format_time(status.entry->window->end))
                               : nlohmann::json()},
        {"warnings", warnings_json(status.diagnostics)}};
    if (status.match) {
      row["min_match"] = rounded(status.match->min_match / 100, 4);
      for (const BuildMatch& build : status.match->builds)
        row["builds"].push_back(
            {{"path", build.build}, {"match_rate", number_json(build.match_rate)}});
    }
    if (!status.not_compared.empty()) row["not_compared"] = status.not_compared;
    rows.push_back(std::move(row));
  }
  return {{"profiles", std::move(rows)}};
}

}  // namespace pgo
