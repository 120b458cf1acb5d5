#include "pgo/report/counted_runs_report.h"

#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/report/junit_text.h"
#include "pgo/report/markdown_table.h"
#include "pgo/report/message.h"
#include "pgo/report/ratio_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

constexpr const char* kCaution = "counts ignore caches, branch prediction and the kernel";

std::vector<TableColumn> count_columns() {
  return {{"COUNT"},
          {"BEFORE", Align::kRight},
          {"AFTER", Align::kRight},
          {"CHANGE", Align::kRight},
          {"INTERVAL"}};
}

std::string counts_range_text(const CountRange& range) {
  if (range.is_exact()) return format_count(range.low);
  return format_count(range.low) + " to " + format_count(range.high);
}

std::string certainty_text(const EventFigure& figure) {
  return figure.is_exact() ? "exact" : range_text(figure.interval);
}

std::vector<std::vector<std::string>> count_rows(const CountedRunsResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const EventFigure& figure : {result.instructions, result.taken_branches})
    rows.push_back({figure.name, counts_range_text(figure.counts[0]),
                    counts_range_text(figure.counts[1]), change_text(figure.ratio),
                    certainty_text(figure)});
  return rows;
}

// "2.0 % fewer", "2.0 % to 2.2 % fewer", "as many".
std::string how_many(const EventFigure& figure) {
  if (!figure.is_exact()) {
    std::string text = range_text(figure.interval);
    if (text == range_text({1, 1})) return "as many";
    for (size_t at = text.find("less"); at != text.npos; at = text.find("less", at))
      text.replace(at, 4, "fewer");
    return text;
  }
  const std::string size = size_text(figure.ratio - 1);
  if (size == "0.0 %") return "as many";
  return size + (figure.ratio > 1 ? " more" : " fewer");
}

std::string doubt_about_counts(const CountedRunsResult& result) {
  if (!result.requests.is_exact())
    return "the loads did " + counts_range_text(result.requests) +
           " requests, so they are not the same work: let the load do a fixed number of requests, "
           "not run for a fixed time";
  if (result.only_branches_grew)
    return "only measured times show whether more taken branches cost time";
  if (result.instructions.is_exact()) return "this is between the limits for pass and fail";
  return "the counts of equal runs differ too much to decide";
}

nlohmann::json range_json(const CountRange& range) { return {range.low, range.high}; }

}  // namespace

std::string counts_sentence(const CountedRunsResult& result, const Limits& limits) {
  std::string text = std::string(outcome_word(result.outcome)) + ": the new program executes " +
                     how_many(result.instructions) + " instructions and takes " +
                     how_many(result.taken_branches) + " branches";
  switch (result.outcome) {
    case Outcome::kPass: break;
    case Outcome::kFail: text += "; the limit is " + size_text(limits.growth) + " more"; break;
    case Outcome::kInconclusive: text += "; " + doubt_about_counts(result); break;
  }
  return text;
}

std::string counts_text(const CountedRunsResult& result, const Limits& limits) {
  TextSheet sheet;
  sheet.row("verdict", counts_sentence(result, limits));
  sheet.row("note", kCaution);
  sheet.table(count_columns(), count_rows(result));
  return sheet.text();
}

std::string counts_markdown(const CountedRunsResult& result, const Limits& limits) {
  return "**" + markdown_text(counts_sentence(result, limits)) + "**\n\n- note: " + kCaution +
         "\n" + markdown_table(count_columns(), count_rows(result)) +
         markdown_warnings(warning_lines(result.diagnostics));
}

nlohmann::json counts_json(const CountedRunsResult& result, const Limits& limits) {
  nlohmann::json json = {{"verdict", outcome_word(result.outcome)},
                         {"text", counts_sentence(result, limits)},
                         {"kind", "counts"},
                         {"limits", {{"growth", limits.growth}}},
                         {"warnings", warnings_json(result.diagnostics)},
                         {"counts", nlohmann::json::array()}};
  if (limits.drop) json["limits"]["expected_drop"] = *limits.drop;
  for (const EventFigure& figure : {result.instructions, result.taken_branches})
    json["counts"].push_back({{"name", figure.name},
                              {"before", range_json(figure.counts[0])},
                              {"after", range_json(figure.counts[1])},
                              {"ratio", figure.ratio},
                              {"interval", interval_json(figure.interval)},
                              {"exact", figure.is_exact()}});
  return json;
}

std::string counts_junit(const CountedRunsResult& result, const Limits& limits) {
  const JunitCase test{"instructions and taken branches", result.outcome,
                       counts_sentence(result, limits)};
  return junit_text({&test, 1}, warning_lines(result.diagnostics));
}

nlohmann::json counts_benchmark_json(const CountedRunsResult& result) {
  nlohmann::json list = nlohmann::json::array();
  for (const EventFigure& figure : {result.instructions, result.taken_branches}) {
    const CountRange& after = figure.counts[1];
    nlohmann::json entry = {{"name", figure.name},
                            {"unit", "events"},
                            {"value", after.low + (after.high - after.low) / 2}};
    if (!after.is_exact()) entry["range"] = "± " + std::to_string((after.high - after.low + 1) / 2);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace pgo
