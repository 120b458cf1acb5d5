// What a perf.data recording holds. Without --binary as far as it goes without ELF files; with it,
// what a conversion would use, how dense that is, and the hottest functions.

#include "converters/perf_data/perf_data_reader.h"
#include "converters/perf_data/recording_summary.h"
#include "pgo/cli/binary_set.h"
#include "pgo/cli/description.h"
#include "pgo/cli/empty_profile.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_profile.h"
#include "pgo/cli/plain_samples.h"
#include "pgo/cli/progress.h"
#include "pgo/cli/text_sheet.h"
#include "pgo/elf/hot_symbols.h"
#include "pgo/symbolize/shown_name.h"

namespace pgo {
namespace {

using perf_data::EventAttr;
using perf_data::Recording;
using perf_data::RecordingSummary;

std::string decimal(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

void add_header(const Recording& recording, uint64_t size, Description& description) {
  description.json = {{"path", recording.path},
                      {"format", "perf.data"},
                      {"size", size},
                      {"mode", recording.pipe_mode ? "pipe" : "file"},
                      {"compressed", recording.compressed},
                      {"truncated", recording.is_truncated()},
                      {"aux_data", recording.has_aux_data},
                      {"lost", recording.lost},
                      {"warnings", warnings_json(recording.diagnostics)}};
  description.text = recording.path + ": perf.data recording, " + format_size(size) +
                     (recording.pipe_mode ? ", written to a pipe" : "") +
                     (recording.compressed ? ", compressed" : "") +
                     (recording.is_truncated() ? ", truncated" : "") + "\n";
}

std::string describe_event(const EventAttr& attr, const RecordingSummary::Event& counts) {
  std::string text = attr.name + ": " + format_count(counts.samples, "sample") + ", ";
  text += attr.is_frequency() ? format_count(attr.period_or_frequency) + " a second"
                              : "one in " + format_count(attr.period_or_frequency);
  if (attr.has_branch_stacks())
    text += ", " + format_count(counts.branch_records, "branch record") + " in " +
            format_count(counts.with_branches, "stack");
  else
    text += ", no branch stacks";
  return text + ((attr.sample_type & perf_data::kSampleCallchain) != 0 ? ", call stacks" : "");
}

void add_events(const Recording& recording, const RecordingSummary& summary,
                Description& description, TextSheet& sheet) {
  std::string text;
  nlohmann::json json = nlohmann::json::array();
  for (size_t i = 0; i < recording.events.size(); i++) {
    const EventAttr& attr = recording.events[i];
    const RecordingSummary::Event& counts = summary.events[i];
    text += (i == 0 ? "" : "\n") + describe_event(attr, counts);
    json.push_back({{"name", attr.name},
                    {attr.is_frequency() ? "frequency" : "period", attr.period_or_frequency},
                    {"branch_stacks", attr.has_branch_stacks()},
                    {"call_stacks", (attr.sample_type & perf_data::kSampleCallchain) != 0},
                    {"samples", counts.samples},
                    {"samples_with_branches", counts.with_branches},
                    {"branch_records", counts.branch_records}});
  }
  sheet.row(recording.events.size() == 1 ? "event" : "events", text);
  description.json["events"] = std::move(json);
}

void add_processes(const RecordingSummary& summary, size_t top, Description& description,
                   TextSheet& sheet) {
  description.json["processes"] = nlohmann::json::array();
  std::string text;
  for (size_t i = 0; i < summary.processes.size(); i++) {
    const RecordingSummary::Process& process = summary.processes[i];
    description.json["processes"].push_back(
        {{"pid", process.pid}, {"name", process.name}, {"samples", process.samples}});
    if (i < top)
      text += (i == 0 ? "" : "\n") + std::to_string(process.pid) + " " + process.name + "  " +
              format_percent(process.samples, summary.samples.seen);
  }
  if (summary.processes.size() > top)
    text += "\nand " + format_count(summary.processes.size() - top) + " more";
  if (!text.empty()) sheet.row("processes", text);
}

void add_files(const RecordingSummary& summary, size_t top, Description& description,
               TextSheet& sheet) {
  description.json["files"] = nlohmann::json::array();
  std::vector<std::vector<std::string>> rows;
  for (const RecordingSummary::File& file : summary.files) {
    description.json["files"].push_back(
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

// How dense the compiler's profile of `counts` would be, and which functions are hot.
Result<void> add_binary(const Binary& binary, const BinaryCounts& counts,
                        const DescribeOptions& options, Description& description,
                        TextSheet& sheet) {
  nlohmann::json json{{"path", counts.path_hint}, {"build_id", counts.id.hex()}};
  sheet.line("");
  sheet.row("binary", counts.path_hint + "  " + format_build_id(counts.id.hex()));
  if (binary.probes == nullptr && !has_debug_info(binary.debug_image())) {
    sheet.row("density", "unknown: there is no debug information");
  } else if (!counts.traces.empty()) {
    BuildOptions build;
    build.jobs = options.jobs;
    PGO_TRY(SourceProfile source, build_source_profile(binary.symbolized(), counts, build));
    double density = source.density(options.jobs);
    json["density"] = density;
    sheet.row("density", decimal(density, 1) + ", " +
                             format_count(source.functions.size(), "function") + " in the source" +
                             (source.is_probe_based ? ", by pseudo probe" : ""));
  }
  HotSymbols hot =
      find_hot_symbols(binary.symbol_image(), *binary.code,
                       count_code(counts, *binary.code, options.jobs).ranges, counts.ips);
  std::vector<std::vector<std::string>> rows;
  json["hottest"] = nlohmann::json::array();
  for (size_t i = 0; i < std::min(options.top, hot.functions.size()); i++) {
    const HotSymbol& function = hot.functions[i];
    rows.push_back({format_percent(function.weight, hot.total), shown_name(function.name)});
    json["hottest"].push_back({{"function", function.name}, {"weight", function.weight}});
  }
  json["weight"] = hot.total;
  description.json["binaries"].push_back(std::move(json));
  if (!rows.empty()) sheet.table({{"SHARE", Align::kRight}, {"FUNCTION"}}, rows);
  return ok();
}

Result<void> add_binaries(const Recording& recording, const DescribeOptions& options,
                          Description& description, TextSheet& sheet) {
  PGO_TRY(BinarySet binaries, BinarySet::open(options.binaries, options.debug));
  perf_data::ReadOptions read;
  read.event = options.event;
  read.jobs = options.jobs;
  Progress progress("reading " + recording.path, recording.data.size());
  read.progress = [&](uint64_t done) { progress.update(done); };
  PGO_TRY(AddressProfile profile, perf_data::read_samples(recording, binaries.targets(), read));
  keep_plain_samples(profile);
  description.json["used"] = funnel_json(profile);
  sheet.block(format_funnel(profile));
  RecordedImages images;
  images.add(recording);
  if (std::optional<Error> error = explain_if_empty(profile, binaries, images)) {
    description.json["unusable"] = error->message;
    sheet.block(error->message + "\n");
    return ok();
  }
  for (const BinaryCounts& counts : profile.binaries)
    PGO_CHECK(add_binary(binaries.of(counts), counts, options, description, sheet));
  return ok();
}

}  // namespace

Result<Description> describe_recording(Bytes bytes, const std::string& path,
                                       const DescribeOptions& options) {
  Progress progress("scanning " + path, bytes.size());
  PGO_TRY(Recording recording,
          perf_data::scan_recording(bytes, path, [&](uint64_t done) { progress.update(done); }));
  RecordingSummary summary = perf_data::summarize_recording(recording, options.jobs);
  Description description;
  add_header(recording, bytes.size(), description);

  TextSheet sheet;
  add_events(recording, summary, description, sheet);
  if (summary.time) {
    auto [first, last] = *summary.time;
    description.json["time"] = {{"first", first}, {"last", last}};
    sheet.row("time", decimal(static_cast<double>(last - first) / 1e9, 3) + " s, from " +
                          decimal(static_cast<double>(first) / 1e9, 6));
  }
  add_processes(summary, options.top, description, sheet);
  if (recording.lost != 0)
    sheet.row("lost", format_count(recording.lost, "sample") + ", says the kernel");
  if (recording.has_aux_data)
    sheet.row("trace data",
              "must be decoded into samples first: perf inject --itrace=i100usle --strip");
  for (const auto& [kind, entry] : recording.diagnostics.entries())
    for (const std::string& message : entry.messages) sheet.row("warning", message);
  add_files(summary, options.top, description, sheet);

  description.json["records"] = summary.records;
  description.json["samples"] = accounting_json(summary.samples);
  description.json["samples_with_branches"] = summary.with_branches;
  description.json["branch_records"] = summary.branch_records;
  sheet.block(format_funnel(summary));
  if (!options.binaries.empty()) PGO_CHECK(add_binaries(recording, options, description, sheet));
  description.text += sheet.text();
  return description;
}

}  // namespace pgo
