#include "pgo/report/refresh_report.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <utility>

#include "pgo/base/file_name.h"
#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/report/json_text.h"
#include "pgo/report/lock_diff_report.h"
#include "pgo/report/markdown_table.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string_view refresh_outcome_name(RefreshOutcome outcome) {
  switch (outcome) {
    case RefreshOutcome::kPinned: return "pinned";
    case RefreshOutcome::kWouldPin: return "would-pin";
    case RefreshOutcome::kNothingNew: return "nothing-new";
    case RefreshOutcome::kTakenBack: return "taken-back";
    case RefreshOutcome::kPushedAgain: return "pushed-again";
    case RefreshOutcome::kUnchanged: return "unchanged";
    case RefreshOutcome::kRefused: break;
  }
  return "refused";
}

std::string_view gate_verdict_name(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kPassed: return "passed";
    case GateVerdict::kFailed: return "failed";
    case GateVerdict::kNotChecked: break;
  }
  return "not-checked";
}

std::string gate_verdict_words(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kPassed: return "ok";
    case GateVerdict::kFailed: return "FAILED";
    case GateVerdict::kNotChecked: break;
  }
  return "not checked";
}

std::string unchanged_line(const RefreshResult& result) {
  assert(result.figures.overlap);  // it was compared with the limit
  return "no change needed: the new profile overlaps by " + format_share(*result.figures.overlap) +
         " with the pinned one (limit: " + format_share(result.unchanged_above) +
         "); nothing is pinned";
}

std::string outcome_line(const RefreshResult& result) {
  switch (result.outcome) {
    case RefreshOutcome::kPinned:
      return "pinned to " + result.digest +
             (result.before ? " (was " + result.before->manifest + ")" : "");
    case RefreshOutcome::kWouldPin:
      return "would be pinned; this is a dry run, so nothing was pushed or pinned";
    case RefreshOutcome::kNothingNew:
      return "nothing new: the profiles and builds are those of " + result.digest;
    case RefreshOutcome::kTakenBack:
      return "nothing is pinned: the profiles and builds are those of " + result.digest +
             ", which was pinned and taken back";
    case RefreshOutcome::kPushedAgain:
      return "pushed " + result.digest +
             " again, because the registry had lost it; it stays pinned";
    case RefreshOutcome::kUnchanged: return unchanged_line(result);
    case RefreshOutcome::kRefused: break;
  }
  return "refused: " + format_count(count_failed(result.gates), "gate") +
         " failed; nothing is pinned";
}

// In whole seconds.
std::string window_words(const TimeWindow& window) {
  constexpr int64_t kInSecond = 1'000'000'000;
  return describe_window(
      {window.begin / kInSecond * kInSecond, window.end / kInSecond * kInSecond});
}

std::string profiles_words(const RefreshResult& result) {
  const FetchResult& fetched = result.fetched;
  const uint64_t used = result.figures.samples;
  return format_count(fetched.profiles.size(), "profile") + " of " +
         format_count(fetched.hosts.size(), "host") + ", " +
         format_count(fetched.samples, "sample") +
         (used > 0 && used < fetched.samples ? " (" + format_count(used) + " of them used)" : "") +
         (fetched.window ? ", " + window_words(*fetched.window) : "");
}

// " (libquery.so)"; nothing for a path that is not known.
std::string name_in_brackets(const std::string& path) {
  return path.empty() ? "" : " (" + std::string(pgo::file_name(path)) + ")";
}

std::vector<std::string> build_lines(const FoundBuilds& builds) {
  std::vector<std::string> lines;
  for (const FoundBuild& build : builds.builds)
    lines.push_back(build.files.id.hex() + ", " + format_share(build.share) + " of the samples" +
                    (build.is_program ? "" : ", a library" + name_in_brackets(build.path)) +
                    (build.files.prebolt.empty() ? "" : ", BOLTed"));
  for (const MissingBuild& build : builds.missing)
    if (build.is_shown())
      lines.push_back((build.id.empty() ? "not known" : build.id) + ", " +
                      format_share(build.share) + " of the samples, " +
                      (build.is_of_system ? "of the system" : "not archived") +
                      name_in_brackets(build.path));
  return lines;
}

bool was_converted(const RefreshResult& result) {
  return result.outcome != RefreshOutcome::kNothingNew &&
         result.outcome != RefreshOutcome::kTakenBack;
}

// Labels and values.
std::vector<std::pair<std::string, std::string>> choice_rows(const RefreshResult& result) {
  std::vector<std::pair<std::string, std::string>> rows;
  const bool is_kept = result.compile_profile == CompileProfileChoice::kKept;
  if (is_kept || !result.choice_reason.empty())
    rows.emplace_back("compile profile",
                      std::string(is_kept ? "kept: " : "new: ") + result.choice_reason);
  for (const BoltProfile& profile : result.bolt) {
    rows.emplace_back(
        "BOLT profile",
        "of " + profile.build + (profile.library.empty() ? "" : " (" + profile.library + ")"));
    if (const auto& recorded = profile.prebolt)
      rows.emplace_back("recorded build", std::string(pgo::file_name(recorded->path)) + ", " +
                                              format_size(recorded->size));
  }
  for (const MissingBoltProfile& missing : result.missing_bolt)
    if (missing.was_pinned)
      rows.emplace_back("BOLT profile",
                        "no longer pinned for " +
                            (missing.library.empty() ? "the program" : missing.library) + ": " +
                            missing.reason);
  if (result.blended > 0)
    rows.emplace_back("blended", "with " + format_count(result.blended, "earlier profile"));
  if (!result.reference.empty()) rows.emplace_back("version", result.reference);
  return rows;
}

const std::vector<TableColumn> kGateColumns = {{"GATE"}, {"FOUND"}, {"WANTED"}, {"VERDICT"}};

std::vector<std::vector<std::string>> gate_rows(const std::vector<GateResult>& gates) {
  std::vector<std::vector<std::string>> rows;
  for (const GateResult& gate : gates)
    rows.push_back({gate.name, gate.found, gate.wanted, gate_verdict_words(gate.verdict)});
  return rows;
}

std::vector<std::string> gate_reasons(const std::vector<GateResult>& gates) {
  std::vector<std::string> lines;
  for (const GateResult& gate : gates)
    if (!gate.reason.empty())
      lines.push_back(gate.name + " " +
                      (gate.verdict == GateVerdict::kFailed ? "failed" : "was not checked") + ": " +
                      gate.reason);
  return lines;
}

nlohmann::json gate_json(const GateResult& gate) {
  nlohmann::json object = {{"name", gate.name},
                           {"found", gate.found},
                           {"wanted", gate.wanted},
                           {"verdict", gate_verdict_name(gate.verdict)}};
  if (!gate.reason.empty()) object["reason"] = gate.reason;
  return object;
}

nlohmann::json refreshed_builds_json(const FoundBuilds& builds) {
  nlohmann::json rows = nlohmann::json::array();
  for (const FoundBuild& build : builds.builds)
    rows.push_back({{"id", build.files.id.hex()},
                    {"path", build.path},
                    {"program", build.is_program},
                    {"share", rounded(build.share, 6)},
                    {"archived", true},
                    {"of_system", false},
                    {"bolted", !build.files.prebolt.empty()}});
  for (const MissingBuild& build : builds.missing)
    if (build.is_shown())
      rows.push_back({{"id", build.id},
                      {"path", build.path},
                      {"program", build.is_program},
                      {"share", rounded(build.share, 6)},
                      {"archived", false},
                      {"of_system", build.is_of_system},
                      {"bolted", false}});
  return rows;
}

// Those of the program are fields of the result, and there is a row for each library.
void add_bolt_profiles(const std::vector<BoltProfile>& profiles, nlohmann::json& object) {
  for (const BoltProfile& profile : profiles) {
    nlohmann::json row = {{"bolt_build", profile.build}};
    if (const auto& recorded = profile.prebolt)
      row["recorded_build"] = {{"file", pgo::file_name(recorded->path)}, {"size", recorded->size}};
    if (!profile.library.empty()) row["library"] = profile.library;
    if (profile.library.empty())
      object.update(row);
    else
      object["bolt_libraries"].push_back(std::move(row));
  }
}

nlohmann::json refreshed_window_json(const std::optional<TimeWindow>& window) {
  if (!window) return nullptr;
  return {{"from", format_time(window->begin)}, {"to", format_time(window->end)}};
}

}  // namespace

std::string refresh_text(const RefreshResult& result) {
  TextSheet sheet(std::string_view("compile profile").size());
  sheet.line(result.name + ": " + outcome_line(result));
  if (!was_converted(result)) return sheet.text();
  sheet.row("profiles", profiles_words(result));
  const std::vector<std::string> builds = build_lines(result.builds);
  if (!builds.empty()) sheet.rows("builds", builds);
  for (const auto& [label, value] : choice_rows(result)) sheet.row(label, value);
  if (!result.gates.empty()) sheet.table(kGateColumns, gate_rows(result.gates));
  for (const std::string& line : gate_reasons(result.gates)) sheet.line("  " + line);
  return sheet.text();
}

nlohmann::json refresh_json(const RefreshResult& result) {
  nlohmann::json gates = nlohmann::json::array();
  for (const GateResult& gate : result.gates) gates.push_back(gate_json(gate));
  const FetchResult& fetched = result.fetched;
  const GateFigures& figures = result.figures;
  nlohmann::json object = {
      {"service", result.name},
      {"lock", result.lock},
      {"outcome", refresh_outcome_name(result.outcome)},
      {"inputs", result.inputs},
      {"profiles", fetched.profiles.size()},
      {"hosts", fetched.hosts.size()},
      {"samples", fetched.samples},
      {"window", refreshed_window_json(fetched.window)},
      {"builds", refreshed_builds_json(result.builds)},
      {"quality", quality_name(figures.quality)},
      {"evidence", evidence_name(figures.evidence)},
      {"density", number_json(figures.density)},
      {"split_half_overlap", number_json(figures.halves)},
      {"match_rate", number_json(figures.match_rate)},
      {"overlap_with_pinned", number_json(figures.overlap)},
      {"code_overlap_with_pinned", number_json(figures.code_overlap)},
      {"gates", std::move(gates)},
      {"compile_profile", result.compile_profile == CompileProfileChoice::kKept ? "kept" : "new"},
      {"blended", result.blended},
      {"before", result.before ? nlohmann::json(result.before->manifest) : nlohmann::json()},
      {"warnings", warnings_json(result.diagnostics)}};
  auto set = [&](const char* key, const std::string& text) {
    if (!text.empty()) object[key] = text;
  };
  set("choice_reason", result.choice_reason);
  add_bolt_profiles(result.bolt, object);
  set("reference", result.reference);
  set("digest", result.digest);
  return object;
}

std::vector<Message> refresh_messages(const RefreshResult& result) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  for (Message& message : messages) message.text = result.name + ": " + message.text;
  return messages;
}

std::string refresh_markdown(const std::vector<RefreshResult>& results,
                             const std::vector<LockDiffResult>& changes) {
  std::string text = "# New profiles\n";
  for (const RefreshResult& result : results) {
    if (result.outcome != RefreshOutcome::kPinned) continue;
    text += "\n## " + markdown_text(result.name) + "\n\n";
    text += "- profiles: " + markdown_text(profiles_words(result)) + "\n";
    for (const std::string& line : build_lines(result.builds))
      text += "- build " + markdown_text(line) + "\n";
    for (const auto& [label, value] : choice_rows(result))
      text += "- " + label + ": " + markdown_text(value) + "\n";
    text += markdown_table(kGateColumns, gate_rows(result.gates));
    const std::vector<std::string> reasons = gate_reasons(result.gates);
    if (!reasons.empty()) text += "\n";
    for (const std::string& line : reasons) text += "- " + markdown_text(line) + "\n";
    text += markdown_warnings(warnings_of(messages_of(result.diagnostics)));
  }
  for (const LockDiffResult& change : changes) text += "\n" + lock_diff_markdown(change);
  if (text.size() <= kMaxRequestText) return text;
  const std::string end =
      "\nThis text is cut here, because forges limit its size. In the branch of this request, `pgo "
      "lock diff HEAD~ HEAD \xFF{pull}` shows all that changes.\n";
  text.resize(text.rfind('\n', kMaxRequestText - end.size() - 1) + 1);
  return text + end;
}

}  // namespace pgo
