// A recording: its header, events, processes and files, the funnel as far as it goes without ELF
// files, and what a conversion would use of it.

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/report/build_table.h"
#include "pgo/report/funnel.h"
#include "pgo/report/message.h"
#include "pgo/report/show_kinds.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

using perf_data::RecordingSummary;

// 0 to 1.
double share_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void add_header(const ShowResult& result, const RecordingContents& contents, ShowReport& report,
                TextSheet& sheet) {
  report.json = {{"path", result.path},
                 {"format", "perf.data"},
                 {"size", result.size},
                 {"mode", contents.is_pipe ? "pipe" : "file"},
                 {"compressed", contents.is_compressed},
                 {"truncated", contents.is_truncated},
                 {"aux_data", contents.has_aux_data},
                 {"lost", contents.lost},
                 {"warnings", warnings_json(contents.diagnostics)}};
  sheet.line(result.path + ": perf.data recording, " + format_size(result.size) +
             (contents.is_pipe ? ", written to a pipe" : "") +
             (contents.is_compressed ? ", compressed" : "") +
             (contents.is_truncated ? ", truncated" : ""));
}

std::string describe_event(const RecordingContents::Event& event) {
  std::string text = event.name + ": " + format_count(event.counts.samples, "sample") + ", ";
  text += event.is_frequency ? format_count(event.period) + " a second"
                             : "one in " + format_count(event.period);
  if (event.has_branch_stacks)
    text += ", " + format_count(event.counts.branch_records, "branch record") + " in " +
            format_count(event.counts.with_branches, "stack");
  else if (event.has_lbr_call_stacks)
    return text + ", LBR call stacks (perf record --call-graph lbr) and no branch records (-b)";
  else
    text += ", no branch records";
  return text + (event.has_call_stacks ? ", call stacks" : "");
}

void add_events(const RecordingContents& contents, ShowReport& report, TextSheet& sheet) {
  std::vector<std::string> lines;
  nlohmann::json json = nlohmann::json::array();
  for (const RecordingContents::Event& event : contents.events) {
    lines.push_back(describe_event(event));
    json.push_back({{"name", event.name},
                    {event.is_frequency ? "frequency" : "period", event.period},
                    {"branch_stacks", event.has_branch_stacks},
                    {"call_stacks", event.has_call_stacks},
                    {"lbr_call_stacks", event.has_lbr_call_stacks},
                    {"samples", event.counts.samples},
                    {"samples_with_branches", event.counts.with_branches},
                    {"branch_records", event.counts.branch_records}});
  }
  sheet.rows(contents.events.size() == 1 ? "event" : "events", lines);
  report.json["events"] = std::move(json);
}

void add_time(const RecordingSummary& summary, ShowReport& report, TextSheet& sheet) {
  if (!summary.time) return;
  auto [first, last] = *summary.time;
  report.json["time"] = {{"first", first}, {"last", last}};
  sheet.row("time", format_decimal(static_cast<double>(last - first) / 1e9, 3) + " s, from " +
                        format_decimal(static_cast<double>(first) / 1e9, 6));
}

void add_processes(const RecordingSummary& summary, size_t top, ShowReport& report,
                   TextSheet& sheet) {
  report.json["processes"] = nlohmann::json::array();
  std::vector<std::string> lines;
  for (size_t i = 0; i < summary.processes.size(); i++) {
    const RecordingSummary::Process& process = summary.processes[i];
    report.json["processes"].push_back(
        {{"pid", process.pid}, {"name", process.name}, {"samples", process.samples}});
    if (i < top)
      lines.push_back(std::to_string(process.pid) + " " + process.name + "  " +
                      format_percent(process.samples, summary.samples.seen));
  }
  if (summary.processes.size() > top)
    lines.push_back("and " + format_count(summary.processes.size() - top) + " more");
  sheet.rows("processes", lines);
}

void add_remarks(const RecordingContents& contents, const OptionWordsFn& words, TextSheet& sheet) {
  if (contents.lost != 0)
    sheet.row("lost", format_count(contents.lost, "sample") + ", reported by the kernel");
  if (contents.has_aux_data)
    sheet.row("trace data",
              "must be decoded into samples first: perf inject --itrace=i100usle --strip");
  for (const auto& [kind, entry] : contents.diagnostics.entries())
    for (const std::string& message : entry.messages) sheet.row("warning", words(message));
}

void add_files(const RecordingSummary& summary, size_t top, ShowReport& report, TextSheet& sheet) {
  report.json["files"] = nlohmann::json::array();
  std::vector<std::vector<std::string>> rows;
  for (const RecordingSummary::File& file : summary.files) {
    report.json["files"].push_back(
        {{"path", file.file.path}, {"build_id", file.file.id.hex()}, {"samples", file.samples}});
    if (rows.size() < top)
      rows.push_back({format_count(file.samples),
                      format_percent(file.samples, summary.samples.seen), file.file.path,
                      format_build_id(file.file.id.hex())});
  }
  if (!rows.empty())
    sheet.table({{"SAMPLES", Align::kRight}, {"SHARE", Align::kRight}, {"FILE"}, {"BUILD ID"}},
                rows);
  if (summary.files.size() > top)
    sheet.line("  and " + format_count(summary.files.size() - top, "more file"));
}

void add_binary(const RecordingContents::UsedBinary& binary, ShowReport& report, TextSheet& sheet) {
  nlohmann::json json{{"path", binary.path}, {"build_id", binary.build_id}};
  sheet.line("");
  sheet.row("binary", binary.path + "  " + format_build_id(binary.build_id));
  if (!binary.has_lines) {
    sheet.row("density", "unknown: there is no debug information");
  } else if (binary.density) {
    json["density"] = *binary.density;
    sheet.row("density", format_decimal(*binary.density, 1) + ", " +
                             format_count(binary.source_functions, "function") + " in the source" +
                             (binary.is_probe_based ? ", by pseudo probe" : ""));
  }
  std::vector<std::vector<std::string>> rows;
  json["hottest"] = nlohmann::json::array();
  for (const RecordingContents::HotFunction& function : binary.hottest) {
    rows.push_back({format_percent(function.weight, binary.weight), shown_name(function.name)});
    json["hottest"].push_back({{"function", function.name},
                               {"weight", function.weight},
                               {"share", share_of(function.weight, binary.weight)}});
  }
  json["weight"] = binary.weight;
  report.json["binaries"].push_back(std::move(json));
  if (!rows.empty()) sheet.table({{"SHARE", Align::kRight}, {"FUNCTION"}}, rows);
}

void add_used(const RecordingContents::Used& used, const OptionWordsFn& words, ShowReport& report,
              TextSheet& sheet) {
  report.json["used"] = funnel_json(used.summary);
  sheet.block(format_funnel(used.summary));
  if (used.unusable) {
    const std::string& advice = used.unusable->advice;
    std::string text = used.unusable->message + (advice.empty() ? "" : "; " + advice);
    report.json["unusable"] = text;
    sheet.block(words(text));
  }
  for (const RecordingContents::UsedBinary& binary : used.binaries)
    add_binary(binary, report, sheet);
}

}  // namespace

ShowReport report_contents(const ShowResult& result, const RecordingContents& contents,
                           const OptionWordsFn& words) {
  const RecordingSummary& summary = contents.summary;
  ShowReport report;
  TextSheet sheet;
  add_header(result, contents, report, sheet);
  add_events(contents, report, sheet);
  add_time(summary, report, sheet);
  add_processes(summary, result.top, report, sheet);
  add_remarks(contents, words, sheet);
  add_files(summary, result.top, report, sheet);
  report.json["records"] = summary.records;
  report.json["samples"] = accounting_json(summary.samples);
  report.json["samples_with_branches"] = summary.with_branches;
  report.json["branch_records"] = summary.branch_records;
  sheet.block(format_funnel(summary));
  if (contents.used) add_used(*contents.used, words, report, sheet);
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
