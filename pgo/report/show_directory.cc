// A directory: a line for each file, and how many of them a conversion reads. Of a bundle, also
// what it is of: query, sources, hosts, times, builds, weights.

#include <algorithm>
#include <map>

#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/profile/accounting.h"
#include "pgo/report/provenance.h"
#include "pgo/report/show_kinds.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string format_name(const DirectoryContents::File& file) {
  if (!file.is_opened) return "cannot be read";
  return file.format ? std::string(info_of(*file.format).name) : "not known";
}

// "perf.data recording, truncated", "damaged".
std::string describe(const DirectoryContents::File& file) {
  if (!file.is_opened) return "cannot be read";
  if (file.size == 0) return "empty";
  bool is_damaged = file.error && file.error->kind == ErrorKind::kInput;
  if (!file.format) return is_damaged ? "damaged" : "not known";
  return format_name(file) + (is_damaged          ? ", damaged"
                              : file.error        ? ", not read"
                              : file.is_truncated ? ", truncated"
                                                  : "");
}

std::string weight_text(const Weight& weight) {
  return std::to_string(weight.numerator) +
         (weight.denominator == 1 ? "" : "/" + std::to_string(weight.denominator));
}

// "service=queryd from=2026-11-26".
std::string labels_text(const Labels& labels) {
  std::string text;
  for (const auto& [key, value] : labels) text += (text.empty() ? "" : " ") + key + "=" + value;
  return text;
}

nlohmann::json member_json(const BundleMember& member, const DirectoryContents::File& file) {
  nlohmann::json json{{"path", file.path},
                      {"kind", format_name(file)},
                      {"size", member.size},
                      {"samples", member.samples},
                      {"weight", weight_text(member.weight)},
                      {"labels", member.labels},
                      {"builds", member.builds},
                      {"source", member.source},
                      {"object", member.object}};
  if (member.window)
    json["window"] = {{"from", format_time(member.window->begin)},
                      {"to", format_time(member.window->end)},
                      {"evidence", time_evidence_name(member.window_evidence)}};
  if (!member.build_samples.empty()) json["build_samples"] = member.build_samples;
  if (member.merged)
    json["merged"] = {{"profiles", member.merged->profiles}, {"labels", member.merged->labels}};
  if (file.error) json["error"] = file.error->message;
  return json;
}

// Members of each build, and their samples; most samples first.
void add_builds(const Bundle& bundle, TextSheet& sheet) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> builds;  // samples, members
  for (const BundleMember& member : bundle.members)
    for (size_t i = 0; i < member.builds.size(); i++) {
      auto& [samples, members] = builds[member.builds[i]];
      // Where it is not known which of several builds the samples are of, they count for the first.
      const uint64_t its = !member.build_samples.empty() ? member.build_samples[i]
                           : i == 0                      ? member.samples
                                                         : 0;
      samples = saturating_add(samples, its);
      members++;
    }
  std::vector<std::pair<std::string, std::pair<uint64_t, uint64_t>>> ordered(builds.begin(),
                                                                             builds.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  std::vector<std::vector<std::string>> rows;
  for (const auto& [build, figures] : ordered)
    rows.push_back({format_count(figures.first), format_count(figures.second), build});
  if (!rows.empty())
    sheet.table({{"SAMPLES", Align::kRight}, {"PROFILES", Align::kRight}, {"BUILD ID"}}, rows);
}

ShowReport report_bundle(const ShowResult& result, const DirectoryContents& contents,
                         const Bundle& bundle, const OptionWordsFn& words) {
  ShowReport report;
  report.json = bundle_json(bundle);
  report.json["path"] = result.path;
  report.json["format"] = "bundle";
  report.json["readable"] = contents.readable;
  report.json["files"] = nlohmann::json::array();
  std::vector<std::vector<std::string>> rows;
  uint64_t samples = 0;
  for (size_t i = 0; i < contents.files.size(); i++) {
    const BundleMember& member = bundle.members[i];
    const DirectoryContents::File& file = contents.files[i];
    samples = saturating_add(samples, member.samples);
    report.json["files"].push_back(member_json(member, file));
    if (rows.size() < result.top)
      rows.push_back({format_count(member.samples), weight_text(member.weight), member.path,
                      describe(file), labels_text(member.labels)});
  }
  TextSheet sheet;
  sheet.line(result.path + ": bundle of " + format_count(contents.files.size(), "profile") +
             " with " + format_count(samples, "sample") + "; pgo convert reads " +
             format_count(contents.readable) + " of them");
  if (!bundle.query.empty()) sheet.row("query", labels_text(bundle.query));
  sheet.rows("source", bundle.sources);
  if (!bundle.tool_version.empty()) sheet.row("made by", bundle.tool_version);
  add_origins(origins_of(bundle), sheet);
  add_builds(bundle, sheet);
  sheet.table(
      {{"SAMPLES", Align::kRight}, {"WEIGHT", Align::kRight}, {"FILE"}, {"KIND"}, {"LABELS"}},
      rows);
  if (rows.size() < contents.files.size())
    sheet.line("  and " + format_count(contents.files.size() - rows.size()) + " more" +
               words(" (\xFF{top})"));
  report.text = sheet.text();
  return report;
}

}  // namespace

ShowReport report_contents(const ShowResult& result, const DirectoryContents& contents,
                           const OptionWordsFn& words) {
  if (contents.bundle) return report_bundle(result, contents, *contents.bundle, words);
  ShowReport report;
  report.json = {{"path", result.path},
                 {"format", "directory"},
                 {"files", nlohmann::json::array()},
                 {"readable", contents.readable}};
  std::vector<std::vector<std::string>> rows;
  for (const DirectoryContents::File& file : contents.files) {
    if (rows.size() < result.top)
      rows.push_back({file.path, describe(file), format_size(file.size)});
    nlohmann::json json{{"path", file.path},
                        {"kind", format_name(file)},
                        {"size", file.size},
                        {"truncated", file.is_truncated}};
    if (file.error) json["error"] = file.error->message;
    report.json["files"].push_back(std::move(json));
  }
  TextSheet sheet;
  sheet.line(result.path + ": directory of " + format_count(contents.files.size(), "file") +
             "; pgo convert reads " + format_count(contents.readable) + " of them");
  sheet.table({{"FILE"}, {"KIND"}, {"SIZE", Align::kRight}}, rows);
  if (rows.size() < contents.files.size())
    sheet.line("  and " + format_count(contents.files.size() - rows.size()) + " more" +
               words(" (\xFF{top})"));
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
