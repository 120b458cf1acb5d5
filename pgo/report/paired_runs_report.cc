#include "pgo/report/paired_runs_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "pgo/base/number_text.h"
#include "pgo/report/junit_text.h"
#include "pgo/report/markdown_table.h"
#include "pgo/report/ratio_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string figure_text(const RunFigure& figure, double value) {
  const std::string_view unit = figure.unit;
  const auto whole = static_cast<uint64_t>(whole_number(value));
  if (unit == "bytes") return format_size(whole);
  if (unit.empty()) return format_count(whole);
  constexpr int kDecimals = 3;
  const int decimals = unit == "s" ? kDecimals : unit == "ms" || unit == "µs" ? 2 : 0;
  return format_decimal(value, decimals) + " " + figure.unit;
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

std::string effort_text(const PairedRunsResult& result) {
  const std::string text =
      format_count(result.pairs, "pair") + ", evaluated " + format_count(result.looks, "time");
  return result.looks < 2 ? text : text + ", so the verdict has a wider interval than the table";
}

const char* effort_label(const PairedRunsResult& result) {
  return result.of_service ? "loads" : "runs";
}

std::vector<TableColumn> figure_columns() {
  return {{"MEDIAN"},
          {"BEFORE", Align::kRight},
          {"AFTER", Align::kRight},
          {"CHANGE IN PAIRS", Align::kRight},
          {"95 % INTERVAL"}};
}

// The first figure, the CPU time, is judged, so it is always shown.
std::vector<std::vector<std::string>> figure_rows(const PairedRunsResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const RunFigure& figure : result.figures)
    if (rows.empty() || !is_too_small(figure))
      rows.push_back(
          {figure.name, figure_text(figure, figure.medians[0]),
           figure_text(figure, figure.medians[1]),
           figure.estimate ? change_text(figure.estimate->ratio) : "",
           figure.estimate ? range_text(figure.estimate->interval) : "too short to measure"});
  return rows;
}

std::string short_text(const PairedRunsResult& result) {
  const std::string limit = format_decimal(kShortRun, 2) + " s of CPU time";
  if (result.of_service)
    return "a load takes less than " + limit + " of the server: give it more work";
  return "a run takes less than " + limit +
         ", and program start is a large part of it: give the command more work";
}

// Why the figures are less certain than they look.
Diagnostics runs_diagnostics(const PairedRunsResult& result) {
  Diagnostics diagnostics = result.diagnostics;
  if (result.too_short) diagnostics.warn("short-runs", short_text(result));
  if (result.equal_wall_time)
    diagnostics.warn(
        "loads-of-equal-time",
        "loads took " + format_decimal(*result.equal_wall_time, 1) +
            " s each, and their output has no number of requests. If the load runs for a "
            "fixed time, its CPU time does not show which server is cheaper: let it do a fixed "
            "number of requests, or use h2load, wrk, ab or hey");
  if (result.noisy)
    diagnostics.warn("noisy-pairs", "the ratios of pairs have a standard deviation of " +
                                        size_text(result.cost.spread) +
                                        ": make sure that the machine is not busy with other work");
  return diagnostics;
}

}  // namespace

std::string runs_sentence(const PairedRunsResult& result, const Limits& limits) {
  std::string text = std::string(outcome_word(result.outcome)) + ": the new program takes " +
                     range_text(result.cost.interval) + " CPU time" +
                     (result.per_request ? " per request" : "");
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
  sheet.row(effort_label(result), effort_text(result));
  sheet.table(figure_columns(), figure_rows(result));
  return sheet.text();
}

std::string runs_markdown(const PairedRunsResult& result, const Limits& limits) {
  return "**" + markdown_text(runs_sentence(result, limits)) + "**\n\n- " + effort_label(result) +
         ": " + markdown_text(effort_text(result)) + "\n" +
         markdown_table(figure_columns(), figure_rows(result)) +
         markdown_warnings(warning_lines(runs_diagnostics(result)));
}

nlohmann::json runs_json(const PairedRunsResult& result, const Limits& limits) {
  nlohmann::json json = {{"verdict", outcome_word(result.outcome)},
                         {"text", runs_sentence(result, limits)},
                         {"kind", effort_label(result)},
                         {"per", result.per_request  ? "request"
                                 : result.of_service ? "load"
                                                     : "run"},
                         {"pairs", result.pairs},
                         {"looks", result.looks},
                         {"ratio", result.cost.ratio},
                         {"interval", interval_json(result.cost.interval)},
                         {"limits", {{"growth", limits.growth}}},
                         {"warnings", warnings_json(runs_diagnostics(result))},
                         {"figures", nlohmann::json::array()}};
  if (limits.drop) json["limits"]["expected_drop"] = *limits.drop;
  if (result.times_pairs) json["times_pairs_to_decide"] = *result.times_pairs;
  for (const RunFigure& figure : result.figures) {
    nlohmann::json entry = {{"name", figure.name},
                            {"unit", figure.unit},
                            {"before", figure.medians[0]},
                            {"after", figure.medians[1]}};
    if (figure.estimate) {
      entry["ratio"] = figure.estimate->ratio;
      entry["interval_95"] = interval_json(figure.estimate->interval);
    }
    json["figures"].push_back(std::move(entry));
  }
  return json;
}

std::string runs_junit(const PairedRunsResult& result, const Limits& limits) {
  const JunitCase test{"CPU time", result.outcome, runs_sentence(result, limits)};
  return junit_text({&test, 1}, warning_lines(runs_diagnostics(result)));
}

nlohmann::json runs_benchmark_json(const PairedRunsResult& result) {
  nlohmann::json list = nlohmann::json::array();
  for (const RunFigure& figure : result.figures) {
    const std::string_view name = figure.name;
    if (name == "throughput" || name == "requests") continue;  // larger is better
    nlohmann::json entry = {
        {"name", figure.name}, {"unit", figure.unit}, {"value", figure.medians[1]}};
    if (figure.estimate) {
      const verify::RatioInterval& interval = figure.estimate->interval;
      const double half = (interval.high - interval.low) / 2 * figure.medians[0];
      entry["range"] = "± " + format_decimal(half, 3);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<Message> runs_messages(const PairedRunsResult& result) {
  return messages_of(runs_diagnostics(result));
}

}  // namespace pgo
