#include "pgo/report/optimize_report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/report/convert_report.h"
#include "pgo/report/error_json.h"
#include "pgo/report/funnel.h"
#include "pgo/report/inference_report.h"
#include "pgo/report/json_text.h"
#include "pgo/report/text_sheet.h"

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

std::string coverage(const BoltLog& log) {
  if (!log.profiled_functions || !log.functions) return "";
  std::string text = format_count(*log.profiled_functions) + " of " + format_count(*log.functions) +
                     " functions have a profile";
  if (log.reordered_functions)
    text += ", the blocks of " + format_count(*log.reordered_functions) + " were reordered";
  return text;
}

std::string staleness(const BoltLog& log) {
  if (!log.stale_samples || !log.samples) return "";
  std::string text = format_percent(*log.stale_samples, *log.samples) + " of the samples, in " +
                     format_count(log.stale_functions.value_or(0), "function") +
                     " whose code differs from what was profiled";
  if (log.inferred_functions)
    text += "; blocks of " + format_count(*log.inferred_functions) + " were matched";
  return text;
}

constexpr const char* kOfBranches =
    "  llvm-bolt's own estimate for a run that takes exactly these branches. The aim is fewer\n"
    "  taken branches; only a measurement shows how much faster the program is.\n";
// Promised 8.2 % fewer taken branches, where another run then took 0.3 % fewer.
constexpr const char* kOfSoftwareRecords =
    "  llvm-bolt's own estimate for a run that takes exactly these branches. Single steps record\n"
    "  few of them, so other runs may gain much less. Measure whether the program is faster.\n";
constexpr const char* kOfUnknownCounts =
    "  llvm-bolt's own estimate for a run that takes exactly these branches. It is unknown "
    "whether\n"
    "  the branches were recorded or inferred. If they were inferred, the estimate means nothing.\n"
    "  Measure whether the program is faster.\n";
// llvm-bolt's estimate is by the very branches that it chose the layout for. A log analyser was
// promised 26.8 % fewer taken branches by inferred ones and took 2.3 % more, a library 41 % fewer
// and took 9 % more.
constexpr const char* kOfInferredCounts =
    "not known: the counts were inferred, not recorded. Measure whether the result is faster";

std::string_view check_name(Check check) {
  switch (check) {
    case Check::kProfile: return "profile";
    case Check::kElf: return "elf";
    case Check::kLoader: return "loader";
    case Check::kCommand: break;
  }
  return "command";
}

std::string outcome_text(const CheckOutcome& outcome) {
  if (outcome.state == CheckOutcome::State::kPassed) return "passed";
  bool skipped = outcome.state == CheckOutcome::State::kSkipped;
  return (skipped ? "skipped: " : "unknown: ") + outcome.reason;
}

const char* profile_kind_name(PostlinkProfileKind kind) {
  if (kind == PostlinkProfileKind::kFdata) return "fdata";
  return kind == PostlinkProfileKind::kYaml ? "BOLT YAML" : "recordings";
}

const char* on_failure_name(OnFailure on_failure) {
  if (on_failure == OnFailure::kKeep) return "keep";
  return on_failure == OnFailure::kKeepStale ? "keep-stale" : "error";
}

const char* delivered_name(Delivered delivered) {
  if (delivered == Delivered::kResult) return "result";
  return delivered == Delivered::kInput ? "input" : "nothing";
}

nlohmann::json functions_json(const BoltLog& log) {
  return {{"all", number_json(log.functions)},
          {"profiled", number_json(log.profiled_functions)},
          {"stale", number_json(log.stale_functions)},
          {"inferred", number_json(log.inferred_functions)},
          {"reordered", number_json(log.reordered_functions)},
          {"folded", number_json(log.folded_functions)},
          {"split_on_input", log.split_on_input}};
}

nlohmann::json profile_json(const PostlinkProfile& profile) {
  nlohmann::json json = {{"kind", profile_kind_name(profile.kind)},
                         {"evidence", evidence_name(profile.evidence)}};
  if (profile.is_inferred()) json["quality"] = quality_name(profile.quality);
  if (profile.counted) json["counted"] = funnel_json(*profile.counted);
  if (profile.inference) json["inference"] = inference_json(*profile.inference);
  if (profile.moved) json["moved"] = moved_json(*profile.moved);
  return json;
}

// Of unknown warnings only the first is shown.
bool has_more_warnings(const OptimizeResult& result) {
  return result.log.has_unknown_warnings || (result.profile && result.profile->converted &&
                                             result.profile->converted->has_unknown_warnings);
}

// perf2bolt reads the same code, so that a warning of both is shown as llvm-bolt's.
Diagnostics perf2bolt_warnings(const OptimizeResult& result) {
  Diagnostics others;
  if (!result.profile || !result.profile->converted) return others;
  for (const auto& [kind, entry] : result.profile->converted->diagnostics.entries())
    if (!result.diagnostics.entries().contains(kind))
      others.warn(kind, entry.messages[0], entry.count);
  return others;
}

}  // namespace

std::string format_optimize_report(const OptimizeResult& result) {
  TextSheet sheet;
  sheet.line(result.output + ": " + result.input + " optimized by BOLT (llvm-bolt " +
             result.version + ")");
  if (std::string text = coverage(result.log); !text.empty()) sheet.row("functions", text);
  if (std::string text = staleness(result.log); !text.empty()) sheet.row("stale", text);
  std::string checks;
  for (const CheckOutcome& outcome : result.checks)
    checks += (checks.empty() ? "" : ", ") + std::string(check_name(outcome.check)) + " " +
              outcome_text(outcome);
  sheet.row("checks", checks);
  if (result.profile && result.profile->is_inferred()) {
    sheet.row("branches", kOfInferredCounts);
    return sheet.text();
  }
  std::vector<std::vector<std::string>> rows;
  for (std::string_view name : kShownStats) {
    auto stat = std::find_if(result.log.dyno_stats.begin(), result.log.dyno_stats.end(),
                             [&](const DynoStat& one) { return one.name == name; });
    if (stat != result.log.dyno_stats.end())
      rows.push_back({stat->name, format_count(stat->before), format_count(stat->after),
                      change(stat->before, stat->after)});
  }
  if (rows.empty()) return sheet.text();
  sheet.table({{"BY THE PROFILE"},
               {"BEFORE", Align::kRight},
               {"AFTER", Align::kRight},
               {"CHANGE", Align::kRight}},
              rows);
  const Evidence evidence = result.profile ? result.profile->evidence : Evidence::kUnknown;
  sheet.block(evidence == Evidence::kUnknown                 ? kOfUnknownCounts
              : evidence == Evidence::kSoftwareBranchRecords ? kOfSoftwareRecords
                                                             : kOfBranches);
  return sheet.text();
}

nlohmann::json optimize_report_json(const OptimizeResult& result) {
  const BoltLog& log = result.log;
  nlohmann::json reason;
  if (result.failure) {
    const Error& failure = *result.failure;
    reason = failure.message + (failure.advice.empty() ? "" : "; " + failure.advice);
  }
  nlohmann::json json{{"input", result.input},
                      {"output", result.output},
                      {"optimized", !result.failure},
                      {"delivered", delivered_name(result.delivered)},
                      {"reason", reason},
                      {"llvm_bolt", {{"program", result.program}, {"version", result.version}}},
                      {"options", result.options},
                      {"not_supported", result.missing_options},
                      {"warnings", warnings_json(result.diagnostics)},
                      {"errors", log.errors},
                      {"functions", functions_json(log)}};
  if (result.failure) json.update(error_json(*result.failure));
  json["samples"] = {{"all", number_json(log.samples)}, {"stale", number_json(log.stale_samples)}};
  json["dyno_stats"] = nlohmann::json::object();
  if (!result.profile || !result.profile->is_inferred())
    for (const DynoStat& stat : log.dyno_stats)
      json["dyno_stats"][stat.name] = {{"before", stat.before}, {"after", stat.after}};
  json["checks"] = nlohmann::json::object();
  for (const CheckOutcome& outcome : result.checks)
    json["checks"][std::string(check_name(outcome.check))] = outcome_text(outcome);
  if (result.profile) json["profile"] = profile_json(*result.profile);
  return json;
}

Error optimize_failure(const OptimizeResult& result) {
  Error error = result.failure.value_or(Error{});
  error.message = result.input + " is NOT optimized: " + error.message;
  return error;
}

std::vector<Message> optimize_messages(const OptimizeResult& result) {
  std::vector<Message> messages;
  for (const std::string& option : result.missing_options)
    messages.push_back(warning("llvm-bolt " + result.version + " does not have " + option));
  const PostlinkProfile* profile = result.profile ? &*result.profile : nullptr;
  // Pre-aggregated traces do not say what they were made of.
  if (profile && profile->counted && profile->counted->samples.seen != 0)
    messages.push_back(note(format_funnel_line(*profile->counted)));
  if (profile && profile->moved) append(messages, moved_messages(*profile->moved));
  if (profile && profile->inference) append(messages, inference_messages(*profile->inference));
  if (uint64_t split = result.log.split_on_input; split != 0)
    messages.push_back(
        warning(format_count(split, "part of a function was", "parts of functions were") +
                " split off by the compiler, which llvm-bolt supports with limits; "
                "-fno-reorder-blocks-and-partition keeps functions whole"));
  if (!result.failure && result.replaced_input)
    messages.push_back(note(result.output + " is replaced: the binary before BOLT is not kept, and "
                                            "later profiles need it"));
  if (profile && profile->counted) append(messages, messages_of(profile->counted->diagnostics));
  append(messages, messages_of(result.diagnostics));
  append(messages, messages_of(perf2bolt_warnings(result)));
  if (profile && profile->converted) append(messages, perf2bolt_errors(*profile->converted));
  if (has_more_warnings(result))
    messages.push_back(
        note(result.log_file.empty()
                 ? "\xFF{log} FILE keeps all that llvm-bolt and perf2bolt print"
                 : result.log_file + " has all that llvm-bolt and perf2bolt printed"));
  if (result.log_incomplete)
    messages.push_back(warning(result.log_file + ": not all that llvm-bolt and perf2bolt printed "
                                                 "could be written"));
  return messages;
}

Message delivery_message(const OptimizeResult& result) {
  const bool is_kept = result.delivered != Delivered::kNothing;
  const std::string option = result.refused_counts ? "on-inferred" : "on-failure";
  const char* value = !result.refused_counts ? on_failure_name(result.on_failure)
                      : is_kept              ? "keep"
                                             : "error";
  const std::string by = " (\xFF{" + option + "} " + value + ")";
  if (!is_kept) return note(result.output + " is not written" + by);
  return warning(result.output + " is " + result.input +
                 " as it was, NOT optimized, and the exit code is 0" + by + "; \xFF{" + option +
                 "=error} makes this an error");
}

}  // namespace pgo
