#include "pgo/report/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "pgo/base/number_text.h"
#include "pgo/report/diff_report.h"
#include "pgo/report/markdown_table.h"
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

std::string alarms_text(const SplitVerdicts& splits) {
  return format_percent(splits.failed, splits.count) + " of " +
         format_count(splits.count, "split") + " fail: " + format_count(splits.failed_by_cost) +
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

// What these splits cannot tell.
std::string caveat_text(const SplitVerdicts& splits) {
  std::string text;
  if (splits.are_all)
    text = "the fleet has no other splits, so one of them is " + format_percent(1, splits.count);
  const char* unseen = nullptr;
  if (splits.kind == SplitKind::kWithinHosts)
    unseen = "the times of profiles are ignored, so changes from day to day do not show";
  if (splits.kind == SplitKind::kProfiles)
    unseen = "hosts and times are ignored, so differences between them do not show";
  if (unseen == nullptr) return text;
  return text + (text.empty() ? "" : "; ") + unseen;
}

std::string fleet_text(const Calibration& calibration) {
  return format_count(calibration.members.size(), "profile") +
         ", split at random into halves; no code changed";
}

std::vector<std::string> lines_of_kind(const SplitVerdicts& splits) {
  std::vector<std::string> lines{
      alarms_text(splits),
      "limits that at most 2.5 % of the splits exceed: " + limits_text(splits)};
  if (splits.detectable)
    lines.push_back("half of the splits would fail if their cost grew by " +
                    size_text(*splits.detectable));
  if (const std::string caveat = caveat_text(splits); !caveat.empty()) lines.push_back(caveat);
  return lines;
}

}  // namespace

bool fails_too_often(const SplitVerdicts& splits) {
  return static_cast<double>(splits.failed) > kAcceptedAlarms * static_cast<double>(splits.count);
}

bool decides_nothing(const Calibration& calibration) {
  return std::all_of(
      calibration.splits.begin(), calibration.splits.end(),
      [](const SplitVerdicts& splits) { return splits.inconclusive == splits.count; });
}

std::string calibration_sentence(const Calibration& calibration) {
  if (decides_nothing(calibration))
    return "no split fails, but none passes either: all are inconclusive, as releases of this "
           "fleet would be; add hosts or samples, or raise the limits";
  return std::any_of(calibration.splits.begin(), calibration.splits.end(), fails_too_often)
             ? "more than 5 % of the splits fail: raise the limits, or add hosts"
             : "at most 5 % of the splits fail";
}

std::string calibration_text(const Calibration& calibration) {
  TextSheet sheet;
  sheet.row("fleet", fleet_text(calibration));
  for (const SplitVerdicts& splits : calibration.splits)
    sheet.rows(kind_text(splits.kind), lines_of_kind(splits));
  return sheet.text();
}

std::string calibration_markdown(const Calibration& calibration) {
  std::string text = "**" + markdown_text(calibration_sentence(calibration)) +
                     "**\n\n- fleet: " + markdown_text(fleet_text(calibration)) + "\n";
  for (const SplitVerdicts& splits : calibration.splits) {
    text += std::string("- ") + kind_text(splits.kind) + ":\n";
    for (const std::string& line : lines_of_kind(splits))
      text += "  - " + markdown_text(line) + "\n";
  }
  return text + markdown_warnings(warning_lines(calibration.diagnostics));
}

nlohmann::json calibration_json(const Calibration& calibration) {
  nlohmann::json kinds = nlohmann::json::array();
  for (const SplitVerdicts& splits : calibration.splits) {
    nlohmann::json json = {{"split", kind_text(splits.kind)},
                           {"splits", splits.count},
                           {"all_splits", splits.are_all},
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
  nlohmann::json result = {{"profiles", calibration.members.size()},
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
