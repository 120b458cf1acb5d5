#include "pgo/report/calibration_report.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "pgo/base/number_text.h"
#include "pgo/report/message.h"
#include "pgo/report/ratio_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

const char* kind_text(SplitKind kind) {
  switch (kind) {
    case SplitKind::kHosts: return "hosts";
    case SplitKind::kWithinHosts: return "within hosts";
    case SplitKind::kProfiles: return "profiles";
  }
  return "";
}

std::string part_text(size_t part, size_t whole) {
  return format_percent(part, whole) + " of " + format_count(whole, "split");
}

std::string alarms_text(const SplitVerdicts& splits) {
  return part_text(splits.failed, splits.count) + " fail: " + format_count(splits.failed_by_cost) +
         " by the cost, " + format_count(splits.failed_by_functions) + " by functions; " +
         format_percent(splits.passed, splits.count) + " pass, " +
         format_percent(splits.inconclusive, splits.count) + " are inconclusive";
}

std::string limits_text(const SplitVerdicts& splits) {
  // Rounded up, so that what is shown is enough.
  auto enough = [](double growth) { return size_text(std::ceil(growth * 1000) / 1000); };
  std::string text;
  if (splits.growth) text = enough(*splits.growth) + " for the cost, ";
  if (!splits.function_growth) return text + "and no limit is enough for functions";
  return text + enough(*splits.function_growth) + " for each function";
}

}  // namespace

std::string calibration_text(const Calibration& calibration) {
  TextSheet sheet;
  sheet.row("fleet", format_count(calibration.fleet.members.size(), "profile") +
                         ", split at random into halves; no code changed");
  for (const SplitVerdicts& splits : calibration.splits) {
    std::vector<std::string> lines{
        alarms_text(splits),
        "at most 2.5 % of them fail by each of these limits: " + limits_text(splits)};
    if (splits.detectable)
      lines.push_back("half of the splits would fail if their cost grew by " +
                      size_text(*splits.detectable));
    sheet.rows(kind_text(splits.kind), lines);
  }
  return sheet.text();
}

nlohmann::json calibration_json(const Calibration& calibration) {
  nlohmann::json kinds = nlohmann::json::array();
  for (const SplitVerdicts& splits : calibration.splits) {
    nlohmann::json json = {{"split", kind_text(splits.kind)},
                           {"splits", splits.count},
                           {"fail", splits.failed},
                           {"pass", splits.passed},
                           {"inconclusive", splits.inconclusive},
                           {"fail_by_cost", splits.failed_by_cost},
                           {"fail_by_functions", splits.failed_by_functions}};
    if (splits.function_growth) json["sufficient_function_limit"] = *splits.function_growth;
    if (splits.growth) json["sufficient_limit"] = *splits.growth;
    if (splits.detectable) json["detectable_growth"] = *splits.detectable;
    kinds.push_back(std::move(json));
  }
  nlohmann::json result = {{"profiles", calibration.fleet.members.size()},
                           {"limits",
                            {{"growth", calibration.limits.growth},
                             {"function_growth", calibration.limits.function_growth},
                             {"function_share", calibration.limits.function_share}}},
                           {"calibration", std::move(kinds)},
                           {"warnings", warnings_json(calibration.diagnostics)}};
  if (calibration.limits.drop) result["limits"]["expected_drop"] = *calibration.limits.drop;
  return result;
}

}  // namespace pgo
