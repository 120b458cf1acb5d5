#include "pgo/report/match_report.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/profile/thresholds.h"
#include "pgo/report/message.h"
#include "pgo/report/note_json.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

// The words for each MatchOutcome, in its order.
struct OutcomeText {
  const char* json;
  const char* line;   // in the list of reasons
  const char* table;  // of one function
  const char* advice;
};
constexpr OutcomeText kOutcomes[kMatchOutcomeCount] = {
    {"matched", "", "", ""},
    {"optimized_away", "", "", ""},
    {"other_discriminator", "the line is there, but with other discriminators", "line changed",
     "the source changed since it was profiled"},
    {"no_line", "the function is there, but not the line", "function changed",
     "the source changed since it was profiled"},
    {"no_line_when_profiled", "had no line when it was profiled", "had no line",
     "build what is profiled with -mllvm -pick-merged-source-locations (clang), as "
     "\xFF{profilable} does"},
    {"other_name", "static functions with other names in this build", "other name",
     "build both with one compiler; clang's with -funique-internal-linkage-names and a prefix map, "
     "as \xFF{profilable} does"},
    {"other_path", "static functions whose names were derived from other source paths",
     "other path",
     "the profile was made from a build with other source paths; \xFF{profilable} maps the "
     "directory of a project to its name"},
    {"no_debug_info", "the function is there, but without debug information", "no debug info",
     "build all of the program, with its static libraries \xFF{linked}, with -gline-tables-only "
     "-fdebug-info-for-profiling, or -g"},
    {"no_function", "the function is not in this build", "not in this build",
     "renamed, removed, optimized away, or of another program"},
    {"changed", "the function is there with another control flow", "function changed",
     "the source changed since it was profiled, or another version of clang compiled it"},
    {"no_probes", "the function is there, without pseudo probes", "no probes",
     "build all of the program, with its static libraries \xFF{linked}, with "
     "-fpseudo-probe-for-profiling"},
};

const OutcomeText& text_of(MatchOutcome outcome) { return kOutcomes[static_cast<size_t>(outcome)]; }

// What to do about an outcome. A profile of several binaries has much that one of them lacks.
std::string advice_on(MatchOutcome outcome, const MatchResult& result) {
  const MatchWeights& weights = result.match.weights;
  const bool is_much = static_cast<double>(weights.of(outcome)) >
                       thresholds::kMuchOfOtherBinaries * static_cast<double>(weights.all());
  const bool matches_in_part = weights.unmatched() != weights.all();
  const std::string advice = text_of(outcome).advice;
  if (outcome != MatchOutcome::kNoFunction || result.of_several || !is_much || !matches_in_part)
    return advice;
  return advice + "; if the profile is of several binaries, \xFF{several} leaves these out";
}

// A share of `whole`, where little differs from nothing.
std::string format_part(uint64_t part, uint64_t whole) {
  std::string text = format_percent(part, whole);
  return part != 0 && text == "0.0 %" ? "< 0.1 %" : text;
}

// The functions that are named: not all, and none that matches as a whole.
std::vector<FunctionMatch> shown_functions(const MatchResult& result, size_t top) {
  std::vector<FunctionMatch> shown;
  for (const FunctionMatch& function : result.match.functions) {
    if (function.weights.unmatched() == 0 || shown.size() == top) break;
    shown.push_back(function);
  }
  return shown;
}

void add_profile(const MatchResult& result, TextSheet& sheet) {
  std::optional<bool> is_noted = result.is_noted_profile();
  std::string text;
  if (!is_noted || !result.note)
    text = "(the binary has no note of the profile it was built with)";
  else if (*is_noted)
    text = "the one that the binary was built with";
  else
    text = "not the one that the binary was built with: " + describe_profile_note(*result.note);
  std::vector<std::string> lines{result.profile, result.profile_digest};
  for (std::string& line : lines_of(text)) lines.push_back(std::move(line));
  sheet.rows("profile", lines);
}

void add_rates(const MatchResult& result, const OptionWordsFn& words, TextSheet& sheet) {
  if (!result.has_counts())
    return sheet.row("match rate", "none: the profile has no counts for functions of this one");
  const MatchWeights& weights = result.match.weights;
  uint64_t all = weights.all(), gone = weights.of(MatchOutcome::kOptimizedAway);
  std::string matched = format_percent(all - weights.unmatched(), all) + " of the profile";
  if (gone != 0) matched += ", including " + format_part(gone, all) + " that was optimized away";
  sheet.row("match rate", matched);

  std::string reasons;
  for (size_t i = 0; i < kMatchOutcomeCount; i++) {
    uint64_t weight = weights.by_outcome[i];
    if (*kOutcomes[i].line == 0 || weight == 0) continue;
    reasons += (reasons.empty() ? "" : "\n") + format_part(weight, all) + "  " + kOutcomes[i].line +
               ":\n  " + words(advice_on(static_cast<MatchOutcome>(i), result));
  }
  if (!reasons.empty()) sheet.rows("unmatched", lines_of(reasons));
}

void add_compiler(const StalenessStatistics& found, TextSheet& sheet) {
  std::string text = "call sites not found: " + format_count(found.lost_call_sites) + " of " +
                     format_count(found.call_sites) + ", " +
                     format_count(found.lost_call_site_samples, "count");
  if (found.recovered_call_sites != 0)
    text += "\ncall sites found elsewhere (-salvage-stale-profile): " +
            format_count(found.recovered_call_sites) + ", " +
            format_count(found.recovered_call_site_samples, "count");
  if (found.renamed_functions != 0)
    text += "\nrenamed functions found (-salvage-unused-profile): " +
            format_count(found.renamed_functions) + ", " +
            format_count(found.renamed_samples, "count");
  if (found.samples != 0)
    text += "\nin changed functions: " + format_part(found.changed_samples, found.samples) +
            " of the counts";
  sheet.rows("compiler", lines_of(text));
}

void add_functions(const MatchResult& result, size_t top, TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  for (const FunctionMatch& function : shown_functions(result, top)) {
    uint64_t unmatched = function.weights.unmatched();
    rows.push_back({format_count(unmatched), format_part(unmatched, result.match.weights.all()),
                    format_percent(unmatched, function.weights.all()),
                    text_of(function.weights.main_reason()).table, shown_name(function.name)});
  }
  if (!rows.empty())
    sheet.table({{"UNMATCHED", Align::kRight},
                 {"OF ALL", Align::kRight},
                 {"OF FUNCTION", Align::kRight},
                 {"MAIN REASON"},
                 {"FUNCTION"}},
                rows);
}

nlohmann::json compiler_json(const std::optional<StalenessStatistics>& found) {
  if (!found) return nullptr;
  return {{"call_sites", found->call_sites},
          {"lost_call_sites", found->lost_call_sites},
          {"recovered_call_sites", found->recovered_call_sites},
          {"lost_call_site_samples", found->lost_call_site_samples},
          {"recovered_call_site_samples", found->recovered_call_site_samples},
          {"functions", found->functions},
          {"changed_functions", found->changed_functions},
          {"samples", found->samples},
          {"changed_samples", found->changed_samples}};
}

}  // namespace

std::string match_reason_text(MatchOutcome reason) { return text_of(reason).line; }
std::string match_reason_word(MatchOutcome reason) { return text_of(reason).json; }

nlohmann::json match_json(const MatchResult& result, size_t top) {
  std::optional<bool> is_noted = result.is_noted_profile();
  nlohmann::json json = {
      {"path", result.binary},
      {"format", "match"},
      {"by", result.basis == MatchBasis::kProbe ? "probe" : "line"},
      {"match_rate", result.has_counts() ? nlohmann::json(result.match_rate()) : nlohmann::json()},
      {"min_match", result.min_match / 100},
      {"left_out", result.left_out},
      {"compiler", compiler_json(result.compiler)},
      {"warnings", warnings_json(result.diagnostics)},
      {"profile", {{"path", result.profile}, {"digest", result.profile_digest}}},
      {"note", note_json(result.note)},
      {"is_noted_profile", is_noted ? nlohmann::json(*is_noted) : nlohmann::json()},
      {"functions", nlohmann::json::array()}};
  for (size_t i = 0; i < kMatchOutcomeCount; i++)
    json["weight"][kOutcomes[i].json] = result.match.weights.by_outcome[i];
  for (const FunctionMatch& function : shown_functions(result, top)) {
    nlohmann::json entry = {{"function", function.name},
                            {"weight", function.weights.all()},
                            {"unmatched", function.weights.unmatched()},
                            {"reason", text_of(function.weights.main_reason()).json}};
    if (!function.other_name.empty()) entry["other_name"] = function.other_name;
    json["functions"].push_back(entry);
  }
  return json;
}

std::string match_text(const MatchResult& result, size_t top, const OptionWordsFn& words) {
  uint64_t all = result.match.weights.all();
  TextSheet sheet;
  sheet.line(result.binary + ": how much of a profile matches it, by " +
             (result.basis == MatchBasis::kProbe ? "checksums of functions" : "line"));
  add_profile(result, sheet);
  if (result.has_counts())
    sheet.row("weight", format_count(all, "count") + " in " +
                            format_count(result.match.functions.size(), "function") +
                            ", including inlined ones");
  if (result.of_several)
    sheet.row("left out", format_part(result.left_out, all + result.left_out) +
                              " of the profile is for functions that this one does not have (" +
                              words("\xFF{several}") + ")");
  add_rates(result, words, sheet);
  if (result.compiler) add_compiler(*result.compiler, sheet);
  add_functions(result, top, sheet);
  return sheet.text();
}

std::string low_match_line(const MatchResult& result) {
  constexpr size_t kNamed = 3;
  const MatchWeights& weights = result.match.weights;
  uint64_t all = weights.all(), unmatched = weights.unmatched();
  if (unmatched == 0) return {};
  const MatchOutcome reason = weights.main_reason();
  std::string names;
  for (const FunctionMatch& function : shown_functions(result, kNamed))
    names += (names.empty() ? "" : ", ") + shown_name(function.name);
  std::string profile = result.of_several
                            ? "the part of the profile " + result.profile + " for its functions"
                            : "the profile " + result.profile;
  std::string start =
      unmatched == all
          ? "no part of " + profile + " matches it: was another program recorded? "
          : "only " + format_percent(all - unmatched, all) + " of " + profile + " matches it. ";
  return result.binary + ": " + start + (unmatched == all ? "Most of it: " : "Most of the rest: ") +
         text_of(reason).line + " (" + advice_on(reason, result) +
         "). Functions with the most unmatched counts: " + names;
}

}  // namespace pgo
