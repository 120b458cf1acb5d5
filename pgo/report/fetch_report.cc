#include "pgo/report/fetch_report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "pgo/base/file_name.h"
#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/fetch/fleet_figures.h"
#include "pgo/profile/fetch_thresholds.h"
#include "pgo/report/json_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

constexpr size_t kShownHosts = 5, kShownExcluded = 3, kShownFetchedBuilds = 10;

const char* not_asked_name(NotAsked why) {
  switch (why) {
    case NotAsked::kWindow: return "other-window";
    case NotAsked::kLabel: return "other-label";
    case NotAsked::kAfterStart: return "after-start";
    case NotAsked::kOtherHost: return "other-host";
  }
  return "";
}

// What hours are known from, in words.
const char* hour_words(TimeEvidence evidence) {
  switch (evidence) {
    case TimeEvidence::kStore: return "from what the store says";
    case TimeEvidence::kName: return "from names";
    case TimeEvidence::kModified: return "from the times of last changes";
    case TimeEvidence::kNone: return "not known before the download";
  }
  return "";
}

const char* detail_words(StratumDetail detail) {
  switch (detail) {
    case StratumDetail::kHostAndHour: return "host and hour";
    case StratumDetail::kHour: return "hour";
    case StratumDetail::kNeither: break;
  }
  return "zone, version and endpoint";
}

const char* detail_name(StratumDetail detail) {
  switch (detail) {
    case StratumDetail::kHostAndHour: return "host-and-hour";
    case StratumDetail::kHour: return "hour";
    case StratumDetail::kNeither: break;
  }
  return "neither";
}

bool is_thin(const FetchedStratum& stratum) {
  return stratum.samples < thresholds::kThinStratumSamples;
}

// "web-1, web-2 and 3 others".
std::string some_of(const std::set<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names)
    if (shown.size() < kShownHosts) shown.push_back(name);
  return joined(shown) + (names.size() > shown.size()
                              ? " and " + format_count(names.size() - shown.size(), "other")
                              : "");
}

std::string hours_text(const std::map<TimeEvidence, uint64_t>& hours) {
  std::vector<std::string> parts;
  for (const auto& [evidence, count] : hours)
    parts.push_back(std::string(hour_words(evidence)) +
                    (hours.size() > 1 ? " (" + format_count(count, "profile") + ")" : ""));
  return joined(parts);
}

nlohmann::json window_json(const std::optional<TimeWindow>& window) {
  if (!window) return nullptr;
  return {{"from", format_time(window->begin)}, {"to", format_time(window->end)}};
}

nlohmann::json weight_json(const Weight& weight) {
  return {{"numerator", weight.numerator}, {"denominator", weight.denominator}};
}

nlohmann::json profile_json(const FetchedProfile& profile) {
  nlohmann::json builds = nlohmann::json::array();
  for (const InspectedBuild& build : profile.inspected.builds)
    builds.push_back({{"id", build.id},
                      {"share", rounded(build.total / std::max(profile.inspected.total, 1.0), 4)}});
  nlohmann::json json{{"source", profile.candidate.source_name},
                      {"object", profile.candidate.object.name},
                      {"digest", profile.digest},
                      {"labels", profile.labels},
                      {"hour", profile.candidate.recorded.hour},
                      {"window", window_json(profile.inspected.window)},
                      {"samples", profile.inspected.samples},
                      {"weight", weight_json(profile.weight)},
                      {"builds", std::move(builds)},
                      {"evidence", evidence_name(profile.inspected.evidence)}};
  if (profile.peers)
    json["peers"] = {{"overlap", rounded(profile.peers->overlap, 4)},
                     {"expected", rounded(profile.peers->expected, 4)},
                     {"others", profile.peers->peers},
                     {"outlier", profile.peers->is_outlier}};
  return json;
}

nlohmann::json stratum_json(const FetchedStratum& stratum) {
  const StratumKey& key = stratum.stratum.key;
  return {{"host", key.host},
          {"hour", key.hour},
          {"zone", key.zone},
          {"version", key.version},
          {"endpoint", key.endpoint},
          {"listed", stratum.stratum.listed},
          {"chosen", stratum.stratum.chosen},
          {"used", stratum.used},
          {"samples", stratum.samples},
          {"thin", is_thin(stratum)}};
}

nlohmann::json build_json(const ProgramBuild& build) {
  return {{"id", build.id},
          {"path", build.path},
          {"profiles", build.profiles},
          {"share", rounded(build.share, 4)},
          {"window", window_json(build.window)},
          {"left_out", build.is_left_out}};
}

void add_builds_table(const FetchResult& result, TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  for (const ProgramBuild& build : result.builds)
    if (rows.size() < kShownFetchedBuilds)
      rows.push_back({build.is_left_out ? "left out" : format_share(build.share),
                      format_count(build.profiles), build.id.empty() ? "(unknown)" : build.id,
                      build.window ? format_time(build.window->begin) : "",
                      build.window ? format_time(build.window->end) : "",
                      std::string(file_name(build.path))});
  sheet.table({{"SHARE", Align::kRight},
               {"PROFILES", Align::kRight},
               {"BUILD ID"},
               {"FROM"},
               {"TO"},
               {"BINARY"}},
              rows);
  if (result.builds.size() > rows.size())
    sheet.line("  and " + format_count(result.builds.size() - rows.size(), "other build"));
}

// By reason, the most frequent one first, with the first profiles of each.
void add_excluded(const FetchResult& result, TextSheet& sheet) {
  for (const auto& [why, count] : count_exclusions(result)) {
    sheet.line("");
    sheet.line("Left out: " + format_count(count, "profile") + " (" +
               std::string(exclusion_name(why)) + ")");
    size_t shown = 0;
    for (const ExcludedProfile& one : result.excluded)
      if (one.why == why && shown < kShownExcluded) {
        sheet.line("  " + one.text);
        shown++;
      }
    if (count > shown) sheet.line("  and " + format_count(count - shown, "other"));
  }
}

bool is_outlier(const FetchedProfile& profile) {
  return profile.peers && profile.peers->is_outlier;
}

Diagnostics fetch_warnings(const FetchResult& result) {
  Diagnostics warnings = result.diagnostics;
  for (const std::string& failed : result.failed_limits)
    warnings.warn("limit-not-kept", "limit not kept: " + failed);
  return warnings;
}

// "3 456 profiles into 2; labels that differ are dropped: host (16 values), hour (24 values)".
std::string merging_text(const Bundle& bundle) {
  std::map<std::string, std::set<std::string>> dropped;
  uint64_t profiles = 0;
  for (const BundleMember& member : bundle.members) {
    if (!member.merged) continue;
    profiles += member.merged->profiles;
    for (const auto& [key, texts] : member.merged->labels)
      for (const auto& [text, count] : texts) dropped[key].insert(text);
  }
  if (profiles == 0) return "";
  std::vector<std::string> labels;
  for (const auto& [key, texts] : dropped)
    labels.push_back(key + " (" + format_count(texts.size(), "value") + ")");
  return format_count(profiles, "profile") + " into " + format_count(bundle.members.size()) +
         (labels.empty() ? "" : "; labels that differ are dropped: " + joined(labels));
}

}  // namespace

std::string fetch_text(const FetchResult& result, const std::string& bundle) {
  TextSheet sheet;
  sheet.line((result.is_written ? bundle : bundle + " (not written)") + ": " +
             format_count(result.profiles.size(), "profile") + ", " +
             format_count(result.samples, "sample") + " of " + result.sample_type);
  std::vector<std::string> sources;
  for (const ListedSource& source : result.sources)
    sources.push_back(source.name + (source.error ? " (not listed)"
                                                  : ": " + format_count(source.listed, "profile")));
  sheet.rows("sources", sources);
  if (!result.not_asked.empty()) sheet.row("not asked for", describe_not_asked(result.not_asked));
  sheet.row("chosen", format_count(result.chosen) + " of " +
                          format_count(result.eligible, "profile") + ", in " +
                          format_count(result.strata.size(), "stratum", "strata") + " by " +
                          detail_words(result.detail));
  sheet.row("hours", hours_text(result.hours));
  sheet.row("fetched", format_count(result.downloaded, "profile") + ", " +
                           format_size(result.downloaded_bytes) + "; " +
                           format_count(result.found) + " from the cache");
  if (const std::string merging = merging_text(result.bundle); !merging.empty())
    sheet.row("merged", merging);
  if (result.window)
    sheet.row("window",
              format_time(result.window->begin) + " to " + format_time(result.window->end));
  if (!result.hosts.empty())
    sheet.row("hosts", format_count(result.hosts.size()) + ": " + some_of(result.hosts));
  if (!result.cpu_models.empty()) sheet.row("CPU models", some_of(result.cpu_models));
  std::vector<std::string> evidence;
  for (const auto& [one, count] : result.evidence)
    evidence.push_back(
        std::string(evidence_words(one)) +
        (result.evidence.size() > 1 ? " (" + format_count(count, "profile") + ")" : ""));
  sheet.row("evidence", joined(evidence));
  if (result.quality != Quality::kUnknown)
    sheet.row("quality", std::string(quality_name(result.quality)));
  if (result.halves)
    sheet.row("split-half", "overlap " + format_share(result.halves->overlap) +
                                (result.halves->by_host ? " (each host is in one half)" : ""));
  add_builds_table(result, sheet);
  add_excluded(result, sheet);
  return sheet.text();
}

nlohmann::json fetch_json(const FetchResult& result) {
  nlohmann::json json{
      {"written", result.is_written},
      {"sample_type", result.sample_type},
      {"samples", result.samples},
      {"hosts", result.hosts},
      {"cpu_models", result.cpu_models},
      {"window", window_json(result.window)},
      {"quality", quality_name(result.quality)},
      {"split_half_overlap",
       result.halves ? nlohmann::json(rounded(result.halves->overlap, 4)) : nlohmann::json()},
      {"split_half_by_host", result.halves && result.halves->by_host},
      {"chosen", result.chosen},
      {"eligible", result.eligible},
      {"left_out_by_limits", result.left_out},
      {"left_out_bytes", result.left_out_bytes},
      {"missing", result.missing()},
      {"strata_by", detail_name(result.detail)},
      {"downloaded", result.downloaded},
      {"downloaded_bytes", result.downloaded_bytes},
      {"from_cache", result.found},
      {"from_cache_bytes", result.found_bytes},
      {"failed_limits", result.failed_limits},
      {"warnings", warnings_json(fetch_warnings(result))}};
  for (const char* key :
       {"sources", "profiles", "strata", "builds", "exclusions", "excluded", "merged"})
    json[key] = nlohmann::json::array();
  json["not_asked_for"] = json["hours"] = json["evidence"] = nlohmann::json::object();
  for (const ListedSource& source : result.sources)
    json["sources"].push_back(
        {{"name", source.name},
         {"listed", source.listed},
         {"error", source.error ? nlohmann::json(source.error->message) : nlohmann::json()}});
  for (const auto& [why, count] : result.not_asked)
    json["not_asked_for"][not_asked_name(why)] = count;
  for (const auto& [evidence, count] : result.hours)
    json["hours"][std::string(time_evidence_name(evidence))] = count;
  for (const auto& [evidence, count] : result.evidence)
    json["evidence"][std::string(evidence_name(evidence))] = count;
  for (const FetchedProfile& profile : result.profiles)
    json["profiles"].push_back(profile_json(profile));
  for (const FetchedStratum& stratum : result.strata)
    json["strata"].push_back(stratum_json(stratum));
  for (const ProgramBuild& build : result.builds) json["builds"].push_back(build_json(build));
  for (const auto& [why, count] : count_exclusions(result))
    json["exclusions"].push_back(
        {{"reason", exclusion_name(why)}, {"profiles", count}, {"missing", is_missing(why)}});
  for (const BundleMember& member : result.bundle.members)
    if (member.merged)
      json["merged"].push_back({{"path", member.path},
                                {"profiles", member.merged->profiles},
                                {"labels", member.labels},
                                {"dropped_labels", member.merged->labels}});
  for (const ExcludedProfile& one : result.excluded)
    json["excluded"].push_back({{"reason", exclusion_name(one.why)},
                                {"source", one.source},
                                {"object", one.object},
                                {"text", one.text}});
  return json;
}

std::vector<Message> fetch_messages(const FetchResult& result) {
  std::vector<Message> messages = messages_of(fetch_warnings(result));
  if (std::any_of(result.profiles.begin(), result.profiles.end(), is_outlier))
    messages.push_back(note("outliers stay in the bundle; \xFF{drop-outliers} leaves them out"));
  for (const ProgramBuild& build : result.builds)
    if (build.is_left_out)
      messages.push_back(note("left out the build " + build.id + ": it has " +
                              format_share(build.share) +
                              " of the samples, and ended hours before a larger one"));
  uint64_t thin = 0;
  const FetchedStratum* first_thin = nullptr;
  for (const FetchedStratum& stratum : result.strata) {
    if (stratum.used == 0 || !is_thin(stratum)) continue;
    if (thin++ == 0) first_thin = &stratum;
  }
  if (thin > 0)
    messages.push_back(note(format_count(thin, "stratum has", "strata have") + " fewer than " +
                            format_count(thresholds::kThinStratumSamples) +
                            " samples; the first: " + describe_stratum(first_thin->stratum.key)));
  if (result.detail != StratumDetail::kHostAndHour)
    messages.push_back(note("there are more hosts and hours than profiles to choose: " +
                            std::string(result.detail == StratumDetail::kHour
                                            ? "hosts were chosen at random within each hour"
                                            : "hosts and hours were chosen at random")));
  return messages;
}

}  // namespace pgo
