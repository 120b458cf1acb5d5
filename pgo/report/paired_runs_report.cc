#include "pgo/report/paired_runs_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "pgo/base/number_text.h"
#include "pgo/report/ratio_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string figure_text(const RunFigure& figure, double value) {
  constexpr int kDecimals = 3;
  if (std::string_view(figure.unit) == "bytes")
    return format_size(static_cast<uint64_t>(whole_number(value)));
  return format_decimal(value, kDecimals) + " " + figure.unit;
}

// Times near the resolution of the kernel's clock, which has 100 to 1000 ticks a second.
bool is_too_small(const RunFigure& figure) {
  return std::string_view(figure.unit) == "s" &&
         std::max(figure.medians[0], figure.medians[1]) < .01;
}

std::string doubt_text(const PairedRunsResult& result) {
  if (!result.times_pairs)
    return "the estimate is between the limits for pass and fail, so more pairs will not decide";
  return times_text(*result.times_pairs, "pairs");
}

}  // namespace

std::string runs_sentence(const PairedRunsResult& result, const Limits& limits) {
  std::string text = std::string(outcome_word(result.outcome)) + ": the new program takes " +
                     range_text(result.cost.interval) + " CPU time";
  switch (result.outcome) {
    case Outcome::kPass: break;
    case Outcome::kFail: text += "; the limit is " + size_text(limits.growth) + " more"; break;
    case Outcome::kInconclusive: text += "; " + doubt_text(result); break;
  }
  return text;
}

std::string runs_text(const PairedRunsResult& result, const Limits& limits) {
  TextSheet sheet;
  sheet.row("verdict", runs_sentence(result, limits));
  sheet.row("runs", format_count(result.pairs, "pair") + ", evaluated " +
                        format_count(result.looks, "time"));
  std::vector<std::vector<std::string>> rows;
  for (const RunFigure& figure : result.figures)
    if (!is_too_small(figure))
      rows.push_back({figure.name, figure_text(figure, figure.medians[0]),
                      figure_text(figure, figure.medians[1]), change_text(figure.estimate.ratio),
                      range_text(figure.estimate.interval)});
  sheet.table({{"MEDIAN"},
               {"BEFORE", Align::kRight},
               {"AFTER", Align::kRight},
               {"CHANGE", Align::kRight},
               {"95 % INTERVAL"}},
              rows);
  return sheet.text();
}

nlohmann::json runs_json(const PairedRunsResult& result, const Limits& limits) {
  nlohmann::json json = {{"verdict", outcome_word(result.outcome)},
                         {"text", runs_sentence(result, limits)},
                         {"pairs", result.pairs},
                         {"looks", result.looks},
                         {"ratio", result.cost.ratio},
                         {"interval", interval_json(result.cost.interval)},
                         {"limits", {{"growth", limits.growth}}},
                         {"figures", nlohmann::json::array()}};
  if (limits.drop) json["limits"]["expected_drop"] = *limits.drop;
  if (result.times_pairs) json["times_pairs_to_decide"] = *result.times_pairs;
  for (const RunFigure& figure : result.figures)
    json["figures"].push_back({{"name", figure.name},
                               {"unit", figure.unit},
                               {"before", figure.medians[0]},
                               {"after", figure.medians[1]},
                               {"ratio", figure.estimate.ratio},
                               {"interval_95", interval_json(figure.estimate.interval)}});
  return json;
}

std::vector<Message> runs_messages(const PairedRunsResult& result) {
  std::vector<Message> messages;
  if (result.too_short)
    messages.push_back(
        warning("a run takes less than " + format_decimal(kShortRun, 2) +
                " s of CPU time, and program start is a large part of it: give the command "
                "more work"));
  if (result.noisy)
    messages.push_back(warning("the ratios of pairs have a standard deviation of " +
                               size_text(result.cost.spread) +
                               ": make sure that the machine is not busy with other work"));
  return messages;
}

}  // namespace pgo
