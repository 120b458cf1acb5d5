#include "pgo/cli/bolt_report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "pgo/cli/conversion_report.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/messages.h"
#include "pgo/cli/output_paths.h"
#include "pgo/cli/text_sheet.h"

namespace pgo {
namespace {

// Of llvm-bolt's figures, those that say whether the layout is better.
constexpr std::string_view kShownStats[] = {
    "executed instructions",           "taken branches",
    "taken forward branches",          "taken backward branches",
    "executed unconditional branches", "total branches"};

std::string change(uint64_t before, uint64_t after) {
  if (before == after) return "=";
  if (before == 0) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%",
                (static_cast<double>(after) / static_cast<double>(before) - 1) * 100);
  return text;
}

nlohmann::json number(const std::optional<uint64_t>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

std::string coverage(const BoltLog& log) {
  if (!log.profiled_functions || !log.functions) return "";
  std::string text = format_count(*log.profiled_functions) + " of " + format_count(*log.functions) +
                     " functions have a profile";
  if (log.reordered_functions)
    text += ", the blocks of " + format_count(*log.reordered_functions) + " were laid out anew";
  return text;
}

constexpr const char* kOfBranches =
    "  llvm-bolt's own account: what a run that took these very branches would execute. Fewer\n"
    "  taken branches are the aim; how much faster that is, only a measurement tells.\n";
// A log analyser was promised 26.8 % fewer taken branches, and took 2.3 % more.
constexpr const char* kOfInferredCounts =
    "  llvm-bolt's own account of branches that nobody saw: they were inferred from plain "
    "samples,\n"
    "  and the layout was chosen to suit them. A run takes others, so that the change may be far\n"
    "  less, or none: only a measurement tells.\n";

}  // namespace

std::string format_bolt_report(const BoltReport& report) {
  TextSheet sheet;
  sheet.line(report.output + ": " + report.input + " laid out anew by llvm-bolt " + report.version);
  std::string covered = coverage(report.log);
  if (!covered.empty()) sheet.row("functions", covered);
  if (report.log.stale_samples && report.log.samples)
    sheet.row(
        "stale",
        format_percent(*report.log.stale_samples, *report.log.samples) + " of the samples, in " +
            format_count(report.log.stale_functions.value_or(0)) +
            " functions that have other code than was profiled" +
            (report.log.inferred_functions
                 ? "; blocks of " + format_count(*report.log.inferred_functions) + " were matched"
                 : ""));
  std::string checks;
  for (const BoltReport::Check& check : report.checks)
    checks += (checks.empty() ? "" : ", ") + check.name + " " + check.outcome;
  sheet.row("checks", checks);
  std::vector<std::vector<std::string>> rows;
  bool inferred = report.profile && report.profile->plain;
  for (std::string_view name : kShownStats) {
    auto stat = std::find_if(report.log.dyno_stats.begin(), report.log.dyno_stats.end(),
                             [&](const DynoStat& one) { return one.name == name; });
    if (stat != report.log.dyno_stats.end())
      rows.push_back({stat->name, format_count(stat->before), format_count(stat->after),
                      change(stat->before, stat->after)});
  }
  if (!rows.empty())
    sheet.table({{inferred ? "BY INFERRED COUNTS" : "BY THE PROFILE"},
                 {"BEFORE", Align::kRight},
                 {"AFTER", Align::kRight},
                 {"CHANGE", Align::kRight}},
                rows);
  if (!rows.empty()) sheet.block(inferred ? kOfInferredCounts : kOfBranches);
  return sheet.text();
}

nlohmann::json bolt_report_json(const BoltReport& report) {
  const BoltLog& log = report.log;
  nlohmann::json json{
      {"input", report.input},
      {"output", report.output},
      {"optimised", report.reason.empty()},
      {"delivered", report.delivered},
      {"reason", report.reason.empty() ? nlohmann::json() : nlohmann::json(report.reason)},
      {"llvm_bolt", {{"program", report.program}, {"version", report.version}}},
      {"options", report.options},
      {"not_supported", report.missing},
      {"warnings", warnings_json(log.warnings)},
      {"errors", log.errors}};
  json["functions"] = {{"all", number(log.functions)},
                       {"profiled", number(log.profiled_functions)},
                       {"stale", number(log.stale_functions)},
                       {"inferred", number(log.inferred_functions)},
                       {"reordered", number(log.reordered_functions)},
                       {"folded", number(log.folded_functions)},
                       {"split_on_input", log.split_on_input}};
  json["samples"] = {{"all", number(log.samples)}, {"stale", number(log.stale_samples)}};
  json["dyno_stats"] = nlohmann::json::object();
  for (const DynoStat& stat : log.dyno_stats)
    json["dyno_stats"][stat.name] = {{"before", stat.before}, {"after", stat.after}};
  json["checks"] = nlohmann::json::object();
  for (const BoltReport::Check& check : report.checks) json["checks"][check.name] = check.outcome;
  if (report.profile) {
    json["profile"] = {{"kind", report.profile->kind}};
    if (report.profile->counted) json["profile"]["counted"] = funnel_json(*report.profile->counted);
    if (report.profile->plain)
      json["profile"]["plain_samples"] = plain_samples_json(*report.profile->plain);
  }
  return json;
}

void print_delivery(const BoltReport& report) {
  if (report.delivered == "nothing")
    print_note(report.output + " is not written (--on-failure error)");
  else
    print_warning(
        report.output + " is " + report.input +
        " as it was, NOT laid out anew, and the exit code is 0 (--on-failure keep); --on-failure "
        "error (in CMake: BOLT_ON_FAILURE error) makes this an error");
}

void print_bolt_warnings(const BoltReport& report) {
  for (const std::string& option : report.missing)
    print_warning("llvm-bolt " + report.version + " does not have " + option);
  if (report.profile && report.profile->counted)
    print_note(format_funnel_line(*report.profile->counted));
  if (report.profile && report.profile->plain)
    print_note(describe_plain_samples(*report.profile->plain));
  if (report.log.split_on_input != 0)
    print_warning(format_count(report.log.split_on_input, "part of a function was",
                               "parts of functions were") +
                  " split off by the compiler, which llvm-bolt supports "
                  "with limits; -fno-reorder-blocks-and-partition keeps functions whole");
  if (report.reason.empty() && is_same_file(report.output, report.input))
    print_note(report.output +
               " is replaced: what it was before BOLT is not kept, and later profiles need it");
  if (report.profile && report.profile->counted)
    print_warnings(report.profile->counted->diagnostics);
  print_warnings(report.log.warnings);
  // perf2bolt looks at the same code, and what both say is llvm-bolt's to say.
  Diagnostics others;
  if (report.profile && report.profile->converted)
    for (const auto& [kind, entry] : report.profile->converted->diagnostics.entries())
      if (!report.log.warnings.entries().contains(kind))
        others.warn(kind, entry.messages[0], entry.count);
  print_warnings(others);
  if (report.profile && report.profile->converted)
    print_perf2bolt_errors(*report.profile->converted);
  if (report.log.warnings.entries().contains("llvm-bolt") || others.entries().contains("perf2bolt"))
    print_note(report.log_file.empty() ? "--log FILE keeps all that they say"
                                       : "all that they say: " + report.log_file);
}

}  // namespace pgo
