// BOLT's profiles: fdata, YAML, and pre-aggregated traces.

#include <cstdio>

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/report/build_table.h"
#include "pgo/report/show_kinds.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string hex_text(OptElfAddr addr) {
  if (!addr) return "outside";
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>((*addr).value));
  return text;
}

nlohmann::json hex_json(OptElfAddr addr) {
  return addr ? nlohmann::json(hex_text(addr)) : nlohmann::json();
}

// Shares are of `total`, as it is printed: what is in no known function counts as well.
void add_functions(uint64_t functions, const std::vector<BoltFunction>& hottest, uint64_t total,
                   ShowReport& report, TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  report.json["hottest"] = nlohmann::json::array();
  for (const BoltFunction& function : hottest) {
    rows.push_back({format_count(function.count), format_percent(function.count, total),
                    format_percent(function.mispredicts, function.count),
                    shown_name(function.name)});
    report.json["hottest"].push_back({{"function", function.name},
                                      {"count", function.count},
                                      {"mispredicts", function.mispredicts}});
  }
  report.json["functions"] = functions;
  sheet.row("functions", format_count(functions));
  if (!rows.empty())
    sheet.table({{"COUNT", Align::kRight},
                 {"SHARE", Align::kRight},
                 {"MISPREDICTED", Align::kRight},
                 {"FUNCTION"}},
                rows);
}

void add_traces(const PreaggregatedContents& contents, ShowReport& report, TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  report.json["hottest"] = nlohmann::json::array();
  for (const Trace& trace : contents.hottest) {
    rows.push_back({format_count(trace.count), format_percent(trace.count, contents.total),
                    hex_text(trace.from), hex_text(trace.to),
                    trace.last ? hex_text(trace.last) : ""});
    report.json["hottest"].push_back({{"from", hex_json(trace.from)},
                                      {"to", hex_json(trace.to)},
                                      {"last", hex_json(trace.last)},
                                      {"count", trace.count}});
  }
  if (!rows.empty())
    sheet.table({{"COUNT", Align::kRight}, {"SHARE", Align::kRight}, {"BRANCH"}, {"TO"}, {"UP TO"}},
                rows);
}

std::string kind_name(bool has_pc_samples) { return has_pc_samples ? "PC samples" : "branches"; }

}  // namespace

ShowReport report_contents(const ShowResult& result, const FdataContents& contents) {
  ShowReport report;
  report.json = {{"path", result.path},
                 {"format", "fdata"},
                 {"size", result.size},
                 {"pc_samples", contents.has_pc_samples},
                 {"bolted", contents.is_of_bolted_binary},
                 {"events", contents.events},
                 {"branches", contents.branches},
                 {"samples", contents.samples},
                 {"memory_accesses", contents.memory_accesses},
                 {"total", contents.total},
                 {"mispredicts", contents.mispredicts}};
  TextSheet sheet;
  sheet.line(result.path + ": BOLT profile (fdata), " + format_size(result.size));
  sheet.row("kind", kind_name(contents.has_pc_samples) +
                        (contents.is_of_bolted_binary ? ", of a binary optimized by BOLT" : "") +
                        (contents.events.empty() ? "" : ", event " + joined(contents.events)));
  sheet.row("records",
            format_count(contents.branches + contents.samples + contents.memory_accesses));
  sheet.row("total", format_count(contents.total) + ", " +
                         format_percent(contents.mispredicts, contents.total) + " mispredicted");
  add_functions(contents.functions, contents.hottest, contents.total, report, sheet);
  report.text = sheet.text();
  return report;
}

ShowReport report_contents(const ShowResult& result, const BoltYamlContents& contents) {
  ShowReport report;
  report.json = {{"path", result.path},           {"format", "bolt-yaml"},
                 {"size", result.size},           {"binary", contents.binary},
                 {"build_id", contents.build_id}, {"pc_samples", contents.has_pc_samples},
                 {"total", contents.total},       {"mispredicts", contents.mispredicts},
                 {"entries", contents.entries}};
  TextSheet sheet;
  sheet.line(result.path + ": BOLT profile (YAML), " + format_size(result.size));
  if (!contents.binary.empty()) sheet.row("binary", contents.binary);
  sheet.row("build ID", format_build_id(contents.build_id));
  sheet.row("kind", kind_name(contents.has_pc_samples));
  sheet.row("total",
            format_count(contents.total) + ", " +
                format_percent(contents.mispredicts, contents.total) + " mispredicted, " +
                format_count(contents.entries, "call of a function", "calls of functions"));
  add_functions(contents.functions, contents.hottest, contents.total, report, sheet);
  report.text = sheet.text();
  return report;
}

ShowReport report_contents(const ShowResult& result, const PreaggregatedContents& contents) {
  ShowReport report;
  report.json = {{"path", result.path},
                 {"format", "preagg"},
                 {"size", result.size},
                 {"build_id", contents.build_id},
                 {"events", contents.events},
                 {"records", contents.records},
                 {"traces", contents.traces},
                 {"total", contents.total},
                 {"mispredicts", contents.mispredicts},
                 {"samples", contents.samples}};
  TextSheet sheet;
  sheet.line(result.path + ": pre-aggregated traces for perf2bolt -pa, " +
             format_size(result.size));
  if (!contents.build_id.empty()) sheet.row("build ID", contents.build_id);
  if (!contents.events.empty()) sheet.row("events", joined(contents.events));
  sheet.row("records", format_count(contents.records) + ", " +
                           format_count(contents.traces, "different trace"));
  sheet.row("total", format_count(contents.total, "branch", "branches") + ", " +
                         format_percent(contents.mispredicts, contents.total) + " mispredicted");
  if (contents.samples != 0) sheet.row("samples", format_count(contents.samples));
  add_traces(contents, report, sheet);
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
