// A stack profile: what it counts, of which builds, its labels, its hottest functions.

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/report/build_table.h"
#include "pgo/report/message.h"
#include "pgo/report/show_kinds.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

std::string seconds_text(int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s",
                static_cast<double>(nanoseconds) / static_cast<double>(kSecond));
  return text;
}

std::string value_text(int64_t value, std::string_view unit) {
  if (unit == "nanoseconds") return seconds_text(value);
  return (value < 0 ? "-" : "") + format_count(magnitude_of(value));
}

// In UTC.
std::string time_text(int64_t nanoseconds) {
  std::time_t seconds = static_cast<std::time_t>(nanoseconds / kSecond);
  std::tm parts{};
  char text[40];
  if (::gmtime_r(&seconds, &parts) == nullptr) return "not known";
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts));
}

nlohmann::json json_of(const ShowResult& result, const StackContents& contents) {
  return {{"path", result.path},
          {"format", info_of(contents.format).name},
          {"size", result.size},
          {"inflated", contents.inflated_size},
          {"warnings", warnings_json(contents.diagnostics)},
          {"totals", totals_json(contents.totals)},
          {"period", contents.period},
          {"time_ns", contents.time},
          {"duration_ns", contents.duration},
          {"samples", contents.samples},
          {"functions", contents.functions},
          {"labels", contents.labels},
          {"builds", stack_builds_json(contents.builds)}};
}

std::string shown_type_name(const StackContents& contents) {
  const SampleTotal& shown = contents.totals[contents.shown_type];
  return shown.type + "/" + shown.unit;
}

// Whose values builds and functions are listed by.
void add_shown_type(const StackContents& contents, TextSheet& sheet) {
  if (contents.totals.empty()) return;
  bool is_only = contents.totals.size() == 1;
  sheet.row("shown type", shown_type_name(contents) + (contents.is_default_type ? ", the default"
                                                       : is_only                ? ""
                                                                                : ", the last"));
}

void add_header(const ShowResult& result, const StackContents& contents, TextSheet& sheet) {
  sheet.line(result.path + ": " + std::string(info_of(contents.format).name) + ", " +
             format_size(result.size) +
             (contents.inflated_size == result.size
                  ? ""
                  : " (" + format_size(contents.inflated_size) + " inflated)"));
  std::vector<std::string> counts;
  for (const SampleTotal& one : contents.totals)
    counts.push_back(one.type + "/" + one.unit + ": " + value_text(one.total, one.unit));
  if (counts.empty()) counts.push_back("nothing");
  sheet.rows("counts", counts);
  add_shown_type(contents, sheet);
  if (contents.period != 0)
    sheet.row("period", std::to_string(contents.period) + " " + contents.period_unit + " of " +
                            contents.period_type);
  if (contents.time != 0) sheet.row("begun", time_text(contents.time));
  if (contents.duration != 0) sheet.row("took", seconds_text(contents.duration));
  sheet.row("samples", format_count(contents.samples) + " different, " +
                           format_count(contents.locations, "location") + " in " +
                           format_count(contents.functions, "function"));
  std::string labels;
  for (const auto& [key, values] : contents.labels)
    labels += (labels.empty() ? "" : ", ") + key + " (" + format_count(values, "value") + ")";
  if (!labels.empty()) sheet.row("labels", labels);
}

void add_builds(const std::vector<BuildShare>& builds, size_t top, TextSheet& sheet) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < std::min(top, builds.size()); i++)
    lines.push_back(describe_build(builds[i]));
  if (builds.size() > top) lines.push_back("and " + format_count(builds.size() - top) + " more");
  sheet.rows("builds", lines);
}

void add_hottest(const StackContents& contents, ShowReport& report, TextSheet& sheet) {
  if (contents.totals.empty()) return;
  const std::string& unit = contents.totals[contents.shown_type].unit;
  std::vector<std::vector<std::string>> rows;
  report.json["hottest"] = nlohmann::json::array();
  for (const StackContents::Function& function : contents.hottest) {
    rows.push_back({value_text(function.value, unit),
                    (function.value < 0 ? "-" : "") +
                        format_percent(magnitude_of(function.value), contents.hottest_total),
                    shown_name(function.name)});
    report.json["hottest"].push_back({{"function", function.name}, {"value", function.value}});
  }
  if (!rows.empty())
    sheet.table({{"FLAT", Align::kRight}, {"SHARE", Align::kRight}, {"FUNCTION"}}, rows);
}

}  // namespace

ShowReport report_contents(const ShowResult& result, const StackContents& contents) {
  ShowReport report;
  report.json = json_of(result, contents);
  if (!contents.totals.empty()) report.json["shown_type"] = shown_type_name(contents);
  TextSheet sheet;
  add_header(result, contents, sheet);
  add_builds(contents.builds, result.top, sheet);
  for (const std::string& line : warning_lines(contents.diagnostics)) sheet.row("warning", line);
  add_hottest(contents, report, sheet);
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
