#include "pgo/report/convert_report.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "converters/llvm_sample/profile_digest.h"
#include "pgo/base/file_name.h"
#include "pgo/base/number_text.h"
#include "pgo/base/text_bytes.h"
#include "pgo/dwarf/debug_damage.h"
#include "pgo/dwarf/split_file.h"
#include "pgo/elf/bolt/address_translation.h"
#include "pgo/profile/bolt_evidence.h"
#include "pgo/profile/thresholds.h"
#include "pgo/report/funnel.h"
#include "pgo/report/inference_report.h"
#include "pgo/report/json_text.h"
#include "pgo/report/provenance.h"

namespace pgo {
namespace {

constexpr size_t kShownUnused = 10;  // of the inputs that gave nothing
constexpr size_t kShownDifferences = 10;

nlohmann::json written_file_json(const OutputFile& output) {
  const std::string& contents = output.contents;
  return {{"path", output.path},
          {"size", contents.size()},
          {"digest", profile_digest(as_bytes(contents))}};
}

nlohmann::json perf2bolt_json(const Perf2boltOutput& output) {
  const Perf2boltFigures& figures = output.figures;
  return {{"mismatching_traces", number_json(figures.mismatching_traces)},
          {"mismatching_percent", figures.mismatching_percent},
          {"out_of_range_traces", number_json(figures.out_of_range_traces)},
          {"out_of_range_percent", figures.out_of_range_percent},
          {"profiled_functions", number_json(figures.profiled_functions)},
          {"functions", number_json(figures.functions)},
          {"warnings", warnings_json(output.diagnostics)},
          {"errors", output.errors}};
}

// The file, what it is worth, and the binary that it is for.
nlohmann::json output_json(const OutputFile& output, const ConvertResult& result) {
  nlohmann::json json = written_file_json(output);
  json["evidence"] = evidence_name(result.evidence_of(output));
  json["quality"] = quality_name(result.quality_of(output));
  if (output.binary) json["binary"] = result.binaries[*output.binary].path;
  if (output.perf2bolt) json["perf2bolt"] = perf2bolt_json(*output.perf2bolt);
  return json;
}

nlohmann::json binary_json(const ConvertedBinary& binary) {
  nlohmann::json json = {{"path", binary.path},
                         {"build_id", binary.build_id.hex()},
                         {"traces", binary.traces},
                         {"samples", binary.pc_samples},
                         {"evidence", evidence_name(binary.evidence)},
                         {"quality", quality_name(binary.quality)}};
  if (binary.pc_sample_weight != binary.pc_samples) json["sample_weight"] = binary.pc_sample_weight;
  if (binary.step_records != 0) json["step_records"] = binary.step_records;
  if (binary.density > 0) json["density"] = rounded(binary.density, 1);
  if (binary.split_half_overlap)
    json["split_half_overlap"] = rounded(*binary.split_half_overlap, 3);
  if (binary.unsampled_flow_share)
    json["unsampled_flow_share"] = rounded(*binary.unsampled_flow_share, 3);
  return json;
}

nlohmann::json source_json(const SourceProfile& source, double density) {
  const LineCoverage& coverage = source.coverage;
  bool by_probe = source.is_probe_based;
  return {{"probe_based", by_probe},
          {"functions", source.function_count()},
          {"density", rounded(density, 1)},
          {"executed_bytes", coverage.all},
          {"without_function", coverage.no_function},
          {"without_line", coverage.no_line},
          {"calls", coverage.calls},
          {by_probe ? "calls_without_probe" : "calls_without_line", coverage.calls_no_line},
          {"broken_ranges", coverage.broken_ranges}};
}

nlohmann::json check_json(const ProfileDifference& difference, const std::string& program) {
  nlohmann::json largest = nlohmann::json::array();
  for (size_t i = 0; i < std::min(kShownDifferences, difference.differences.size()); i++) {
    const CountDifference& one = difference.differences[i];
    largest.push_back({{"function", one.function},
                       {"place", one.place},
                       {"ours", number_json(one.first)},
                       {"theirs", number_json(one.second)}});
  }
  return {{"tool", program},
          {"identical", difference.identical()},
          {"functions", difference.functions},
          {"different_functions", difference.different_functions},
          {"counts", difference.counts},
          {"different_counts", difference.differences.size()},
          {"largest", largest}};
}

// Is an offset of its place one that no line has, as line 0 gets?
bool is_line_zero(const CountDifference* difference) {
  constexpr unsigned kFirstImpossible = 32768;
  std::string_view place = difference->place;  // "offset > callee > offset.discriminator"
  while (true) {
    unsigned offset = 0;
    std::from_chars(place.data(), place.data() + place.size(), offset);
    if (offset >= kFirstImpossible) return true;
    size_t next = place.find(" > ");
    if (next == std::string_view::npos) return false;
    place.remove_prefix(next + 3);
  }
}

std::string count_text(std::optional<uint64_t> count) {
  return count ? format_count(*count) : "none";
}

// How much there is, and how much of what ran it describes. Of inferred counts the density says
// nothing: each sample stands for many executions.
std::string describe_coverage(const SourceProfile& source, const ConvertResult& result) {
  const LineCoverage& coverage = source.coverage;
  std::string text = format_count(source.function_count(), "function") + ", ";
  if (!result.inference) text += "density " + format_decimal(result.density, 1) + ", ";
  std::string calls =
      format_percent(coverage.calls_no_line, coverage.calls) + " of the calls without a ";
  if (source.is_probe_based)
    return text + "by pseudo probe, " + calls + "probe, " +
           format_percent(coverage.no_function, coverage.all) +
           " of the executed code in functions without probes";
  text += format_percent(coverage.no_line, coverage.all) + " of the executed code and " + calls +
          "line";
  if (coverage.no_function == 0) return text;
  return text + ", " + format_percent(coverage.no_function, coverage.all) +
         " of the code in no function of the debug information";
}

// Why most of the code that ran is in no function.
std::string explain_missing(const SourceProfile& source) {
  const auto& warnings = source.diagnostics.entries();
  bool is_whole = !warnings.contains(kMissingSplitFile) && !warnings.contains(DebugDamage::kKind);
  if (is_whole && source.coverage.lines_only > source.coverage.no_function / 2)
    return "the debug information has lines for it, but no functions; compile with "
           "-fdebug-info-for-profiling (clang), or -g";
  return std::string("it was built without ") +
         (source.is_probe_based ? "pseudo probes" : "debug information") +
         "; build the libraries that are linked into the program like the program itself "
         "\xFF{linked}";
}

// Libraries of the user's own that ran, and that no --binary names. C and C++ runtime libraries are
// rarely built for a profile.
bool is_runtime_library(std::string_view path) {
  static constexpr std::string_view kNames[] = {"ld",        "libc",       "libc++",
                                                "libc++abi", "libm",       "libstdc++",
                                                "libgcc_s",  "libpthread", "libmvec"};
  std::string_view name = path.substr(path.rfind('/') + 1);
  name = name.substr(0, name.find_first_of(".-"));  // libc.so.6, libc-2.31.so, ld-linux-x86-64.so.2
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

void add_other_binaries(const ConvertResult& result, std::vector<Message>& messages) {
  constexpr size_t kShown = 3;
  const Accounting& samples = result.profile.samples;
  const uint64_t all = samples.seen - samples[Dropped::kOtherEvent] - samples[Dropped::kFiltered];
  std::vector<const perf_data::OtherFile*> large;
  for (const perf_data::OtherFile& other : result.others)
    if (static_cast<double>(other.samples) >= thresholds::kOtherBinary * static_cast<double>(all) &&
        !is_runtime_library(other.file.path))
      large.push_back(&other);
  for (size_t i = 0; i < std::min(kShown, large.size()); i++) {
    const std::string& path = large[i]->file.path;
    messages.push_back(
        note(path + ": has " + format_percent(large[i]->samples, all) +
             " of the samples, which are not used; if you build it, add \xFF{binary} " + path));
  }
  if (large.size() > kShown)
    messages.push_back(note(format_count(large.size() - kShown, "more binary", "more binaries") +
                            " had samples that are not used; 'pgo show INPUT' lists all"));
}

// Counts of single steps are recorded in some binaries and, where these are few, inferred in
// others.
bool has_other_evidence(const ConvertedBinary& binary, const ConvertResult& result) {
  return result.inference && is_inferred(binary.evidence) != is_inferred(result.evidence);
}

// Are the counts of a binary worth less than all together, or of another kind?
bool differs_from_all(const ConvertedBinary& binary, const ConvertResult& result) {
  if (binary.quality == Quality::kUnknown) return false;
  if (binary.traces == 0) return false;  // a warning says that it has no counts
  return binary.quality < result.quality || has_other_evidence(binary, result);
}

std::string explain_inferred(const ConvertedBinary& binary, const ConvertResult& result) {
  const Quality by_number = quality_of_pc_samples(binary.pc_samples);
  std::string text;
  if (binary.pc_samples == 0)
    text = ", of single steps alone";
  else if (by_number < result.quality)
    text = ", with " + format_count(binary.pc_samples) + " of the samples";
  if (has_other_evidence(binary, result))
    text += is_inferred(binary.evidence)
                ? "; it has too few single steps (" + describe_few_steps(binary.step_records) +
                      "), so pgo bolt treats its counts as inferred"
                : "; its single steps count as branch records";
  if (binary.quality < by_number && binary.unsampled_flow_share)
    text += ", " + format_share(*binary.unsampled_flow_share) + " of its flow is unsampled";
  return text;
}

std::string shown_binary(const ConvertedBinary& binary) {
  return is_digest_name(binary.path) ? "build " + binary.build_id.hex() : binary.path;
}

// A profile for BOLT has the counts of one binary only.
void add_differing_binaries(const ConvertResult& result, std::vector<Message>& messages) {
  constexpr size_t kShown = 3;
  size_t differing = 0;
  for (const ConvertedBinary& binary : result.binaries) {
    if (!differs_from_all(binary, result)) continue;
    if (++differing > kShown) continue;
    const std::string reason = result.inference ? explain_inferred(binary, result)
                                                : ", density " + format_decimal(binary.density, 1);
    messages.push_back(note(shown_binary(binary) + ": quality " +
                            std::string(quality_name(binary.quality)) + reason));
  }
  if (differing > kShown)
    messages.push_back(
        note(format_count(differing - kShown, "more binary differs", "more binaries differ") +
             " in quality or evidence from all together; \xFF{json} lists them"));
}

// What would make a better profile for BOLT of a recording of what BOLT wrote.
void add_missing_inputs(const ConvertResult& result, std::vector<Message>& messages) {
  for (const OutputFile& output : result.outputs) {
    if (!output.binary) continue;
    const std::string& path = result.binaries[*output.binary].path;
    for (const Binary& binary : result.opened.binaries())
      if (binary.image->path() == path && has_address_translation(*binary.image))
        messages.push_back(note(
            output.path + ": perf2bolt reads branches of " + path +
            " through BOLT's address translation table, and loses some; for a better profile, also "
            "name the binary that llvm-bolt read: \xFF{binary} " +
            path + " \xFF{binary} INPUT"));
  }
}

// Branch records count before PC samples, however few they are.
void warn_of_better_samples(const ConvertResult& result, std::vector<Message>& messages) {
  uint64_t left_out = result.profile.samples[Dropped::kWithoutStack];
  if (result.inference || left_out == 0 || result.quality == Quality::kUnknown) return;
  Quality better = quality_of_pc_samples(left_out);
  if (better <= result.quality) return;
  messages.push_back(warning(
      "only branch records were used (quality: " + std::string(quality_name(result.quality)) +
      "); the " + format_count(left_out) + " PC samples alone would give a " +
      std::string(quality_name(better)) + " profile: convert them separately"));
}

void add_unused(const ConvertResult& result, std::vector<Message>& messages) {
  for (size_t i = 0; i < std::min(kShownUnused, result.unused.size()); i++)
    messages.push_back(
        warning(result.unused[i].path + ": is not used: " + result.unused[i].reason));
  if (result.unused.size() > kShownUnused)
    messages.push_back(warning(format_count(result.unused.size() - kShownUnused, "more input") +
                               " had nothing to use; \xFF{json} lists them"));
}

// What the profile by source position lacks, and what would help.
void add_source(const ConvertResult& result, std::vector<Message>& messages) {
  if (!result.source) return;
  const LineCoverage& coverage = result.source->coverage;
  messages.push_back(note(describe_coverage(*result.source, result)));
  append(messages, messages_of(result.source->diagnostics));
  if (coverage.no_function > coverage.all / 2) {
    // More samples would not help.
    messages.push_back(warning("most of the code that ran is not in the profile: " +
                               explain_missing(*result.source)));
    return;
  }
  using thresholds::kGoodDensity;
  if (result.density < kGoodDensity && result.density > 0 && !result.inference) {
    const std::string times = format_decimal(kGoodDensity / result.density, 1);
    messages.push_back(note((times == "1.0" ? "a few more" : "about " + times + " times as many") +
                            " samples would reach a density of 50, above which more samples gain "
                            "little"));
  }
}

}  // namespace

nlohmann::json convert_json(const ConvertResult& result) {
  nlohmann::json json = funnel_json(result.profile);
  json["evidence"] = evidence_name(result.evidence);
  json["quality"] = quality_name(result.quality);
  if (result.density > 0) json["density"] = rounded(result.density, 1);
  if (result.split_half_overlap)
    json["split_half_overlap"] = rounded(*result.split_half_overlap, 3);
  if (result.inference) json["inference"] = inference_json(*result.inference);
  json["binaries"] = nlohmann::json::array();
  for (const ConvertedBinary& binary : result.binaries)
    json["binaries"].push_back(binary_json(binary));
  json["other_binaries"] = nlohmann::json::array();
  for (const perf_data::OtherFile& other : result.others)
    json["other_binaries"].push_back(
        {{"path", other.file.path}, {"build_id", other.file.id.hex()}, {"samples", other.samples}});
  json["unused_inputs"] = nlohmann::json::array();
  for (const UnusedInput& unused : result.unused)
    json["unused_inputs"].push_back({{"path", unused.path}, {"reason", unused.reason}});
  if (!result.bundles.empty()) json["provenance"] = provenance_json(result.bundles);
  if (!result.profile.origins.empty()) json["origins"] = origins_json(result.profile.origins);
  if (!result.modified.empty()) json["modified"] = modified_json(result.modified);
  json["moved"] = nlohmann::json::array();
  for (const MovedBinary& moved : result.moved) json["moved"].push_back(moved_json(moved));
  if (result.source) json["source"] = source_json(*result.source, result.density);
  for (const OutputFile& output : result.outputs)
    json["outputs"].push_back(output_json(output, result));
  if (result.check && result.check->difference)
    json["check"] = check_json(*result.check->difference, result.check->program);
  return json;
}

nlohmann::json convert_json(const ReferenceOutputs& made) {
  nlohmann::json json{{"tool", made.program}};
  for (const OutputFile& output : made.outputs)
    json["outputs"].push_back(written_file_json(output));
  return json;
}

std::vector<Message> moved_messages(const MovedBinary& moved) {
  const TranslationReport& report = moved.report;
  const double many = thresholds::kLostInTranslation * static_cast<double>(report.seen);
  std::vector<Message> messages;
  messages.push_back(note(moved.from + ": " + format_percent(report.whole, report.seen) +
                          " of the traces were translated to " + moved.to + ", " +
                          format_percent(report.cut, report.seen) + " in part"));
  // By another file's table, a fifth of a small program's traces made no sense.
  if (static_cast<double>(report.cut) > many)
    messages.push_back(warning(moved.from + ": " + format_percent(report.cut, report.seen) +
                               " of the traces do not fit its code: did another binary run that "
                               "llvm-bolt made from " +
                               moved.to +
                               "? Only 'pgo bolt' gives each of them a build ID of its own"));
  if (static_cast<double>(report.dropped) > many)
    messages.push_back(warning(moved.from + ": " + format_percent(report.dropped, report.seen) +
                               " of the traces could not be translated to " + moved.to +
                               " and are left out; do both files have all of their symbols?"));
  return messages;
}

nlohmann::json moved_json(const MovedBinary& moved) {
  const TranslationReport& report = moved.report;
  return {{"from", moved.from},
          {"to", moved.to},
          {"seen", report.seen},
          {"whole", report.whole},
          {"cut", report.cut},
          {"dropped", report.dropped},
          {"broken_ranges", report.broken_ranges}};
}

std::vector<Message> convert_messages(const ConvertResult& result) {
  std::vector<Message> messages;
  for (const MovedBinary& moved : result.moved) append(messages, moved_messages(moved));
  add_missing_inputs(result, messages);
  for (const OutputFile& output : result.outputs)
    if (output.perf2bolt && output.binary)
      append(messages, perf2bolt_messages(
                           output.path, *output.perf2bolt,
                           {result.inference.has_value(),
                            result.binaries[output.counted.value_or(*output.binary)].identity}));
  append(messages, messages_of(result.profile.diagnostics));
  add_unused(result, messages);
  if (result.profile.samples.seen != 0)
    messages.push_back(note(format_funnel_line(result.profile)));
  add_other_binaries(result, messages);
  if (result.inference)
    append(messages, inference_messages(*result.inference));
  else if (result.quality != Quality::kUnknown && result.split_half_overlap)
    messages.push_back(
        note("quality " + std::string(quality_name(result.quality)) +
             (result.evidence == Evidence::kSoftwareBranchRecords ? ", from software branch records"
                                                                  : "") +
             ", split-half overlap " + format_share(*result.split_half_overlap)));
  add_differing_binaries(result, messages);
  warn_of_better_samples(result, messages);
  add_source(result, messages);
  return messages;
}

std::vector<Message> perf2bolt_errors(const Perf2boltOutput& output) {
  std::vector<Message> messages;
  for (const std::string& error : output.errors)
    messages.push_back(warning("perf2bolt wrote a profile, but reports an error: " + error));
  return messages;
}

std::vector<Message> perf2bolt_messages(const std::string& path, const Perf2boltOutput& output,
                                        const TraceSource& source) {
  std::vector<Message> messages = messages_of(output.diagnostics);
  append(messages, perf2bolt_errors(output));
  const Perf2boltFigures& figures = output.figures;
  if (!figures.mismatching_traces) return messages;
  std::string text = path + ": " + format_decimal(figures.mismatching_percent, 1) +
                     " % of the traces do not match the code";
  if (figures.mismatching_percent <= thresholds::kOtherBuildTracesPercent)
    messages.push_back(note(text));
  else if (source.is_inferred)
    messages.push_back(
        note(text + "; they were inferred from PC samples, and perf2bolt leaves them out"));
  else if (source.identity == BuildIdentity::kProven)
    messages.push_back(
        warning(text + ", although its build ID was recorded; perf2bolt leaves them out"));
  else
    messages.push_back(warning(text + "; was another build recorded?"));
  return messages;
}

std::string format_check(const ProfileDifference& difference, const std::string& program) {
  if (difference.identical())
    return "identical to " + program + ": " + format_count(difference.functions, "function") +
           ", " + format_count(difference.counts, "count");
  std::string text = "differs from " + program + ": " +
                     format_count(difference.differences.size()) + " of " +
                     format_count(difference.counts) + " counts differ, in " +
                     format_count(difference.different_functions) + " of " +
                     format_count(difference.functions) + " functions";
  if (difference.flow_sensitivity_differs)
    text += "; only one of the two has flow-sensitive discriminators";
  if (difference.probes_differ) text += "; only one of the two counts by pseudo probe";
  // The largest difference of each function, as many functions as are shown.
  std::vector<const CountDifference*> shown;
  std::map<std::string_view, uint64_t> counts;
  for (const CountDifference& one : difference.differences)
    if (counts[one.function]++ == 0 && shown.size() < kShownDifferences) shown.push_back(&one);
  for (const CountDifference* one : shown) {
    text += "\n  " + one->function + "  " + one->place + ":  " + count_text(one->first) +
            " here, " + count_text(one->second) + " there";
    if (counts[one->function] > 1)
      text += "  (and " + format_count(counts[one->function] - 1, "smaller one") + ")";
  }
  if (std::any_of(shown.begin(), shown.end(), is_line_zero))
    text +=
        "\n  (offsets from 32768 on are code without a line, line 0, which llvm-profgen writes at "
        "(0 - first line) mod 65536: see \xFF{docs/reference/llvm-profgen.md})";
  if (shown.size() < counts.size())
    text += "\n  and " + format_count(counts.size() - shown.size(), "more function");
  return text;
}

}  // namespace pgo
