#include "pgo/report/versions_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "pgo/archive/registry_archive.h"
#include "pgo/base/number_text.h"
#include "pgo/base/time_text.h"
#include "pgo/report/json_text.h"
#include "pgo/report/new_files.h"
#include "pgo/report/text_sheet.h"
#include "pgo/versions/version_signature.h"

namespace pgo {
namespace {

using nlohmann::json;

void set_text(json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

json profile_files_json(const std::vector<ProfileFile>& files) {
  json result = json::array();
  for (const ProfileFile& file : files) result.push_back(profile_file_json(file));
  return result;
}

json recorded_json(const std::optional<TimeWindow>& window) {
  if (!window) return nullptr;
  return {{"from", format_time(window->begin)}, {"to", format_time(window->end)}};
}

json version_json(const ProfileVersion& version) {
  return {{"service", version.service},
          {"window", recorded_json(version.window)},
          {"sources", version.sources},
          {"builds", version.builds()},
          {"files", profile_files_json(version.files)}};
}

json listed_json(const ListedVersion& listed) {
  json result = version_json(listed.version);
  result["digest"] = listed.digest;
  result["tags"] = listed.tags;
  result["size"] = listed.size;
  result["signers"] = listed.signers;
  return result;
}

json listed_versions_json(const std::vector<ListedVersion>& versions) {
  json result = json::array();
  for (const ListedVersion& listed : versions) result.push_back(listed_json(listed));
  return result;
}

// In whole seconds.
std::string recorded_until(const std::optional<TimeWindow>& window) {
  constexpr int64_t kInSecond = 1'000'000'000;
  return window ? format_time(window->end / kInSecond * kInSecond) : "-";
}

// The version before it of the same service. Null: none is listed.
const ListedVersion* find_earlier(const std::vector<ListedVersion>& versions, size_t at) {
  for (size_t i = at + 1; i < versions.size(); i++)
    if (versions[i].version.service == versions[at].version.service) return &versions[i];
  return nullptr;
}

// The profiles that the version before does not have.
std::vector<const ProfileFile*> new_profiles(const ProfileVersion& version,
                                             const ListedVersion* earlier) {
  std::vector<const ProfileFile*> profiles;
  for (const ProfileFile& file : version.files) {
    auto is_same = [&](const ProfileFile& other) { return other.digest == file.digest; };
    const bool is_known = earlier != nullptr && std::any_of(earlier->version.files.begin(),
                                                            earlier->version.files.end(), is_same);
    if (file.kind <= FileKind::kGo && !is_known) profiles.push_back(&file);
  }
  return profiles;
}

// The kinds of profiles, and the samples and the quality of `main`, which may be null.
std::vector<std::string> profile_cells(const std::vector<const ProfileFile*>& profiles,
                                       const ProfileFile* main) {
  std::vector<std::string> kinds;
  for (const ProfileFile* profile : profiles)
    if (const std::string kind = std::string(file_kind_name(profile->kind)) +
                                 (profile->library.empty() ? "" : " (" + profile->library + ")");
        std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(kind);
  const bool has_quality = main != nullptr && main->quality != Quality::kUnknown;
  return {kinds.empty() ? "-" : joined(kinds),
          main != nullptr && main->samples ? format_count(*main->samples) : "-",
          has_quality ? std::string(quality_name(main->quality)) : "-"};
}

// Figures are those of the first profile that is new: a compile profile may be kept for many
// versions.
std::vector<std::string> listed_row(const ListedVersion& listed, const ListedVersion* earlier) {
  const ProfileVersion& version = listed.version;
  const std::vector<const ProfileFile*> profiles = new_profiles(version, earlier);
  std::vector<std::string> row = {listed.tags.empty() ? "-" : joined(listed.tags),
                                  recorded_until(version.window),
                                  version.service.empty() ? "-" : version.service};
  for (std::string& cell :
       profile_cells(profiles, profiles.empty() ? version.main_file() : profiles[0]))
    row.push_back(std::move(cell));
  row.push_back(format_size(listed.size));
  return row;
}

std::string listed_table(const std::vector<ListedVersion>& versions) {
  std::vector<TableColumn> columns = {
      {"TAG"},     {"RECORDED UNTIL"},     {"SERVICE"}, {"NEW"}, {"SAMPLES", Align::kRight},
      {"QUALITY"}, {"SIZE", Align::kRight}};
  const bool has_signers =
      std::any_of(versions.begin(), versions.end(),
                  [](const ListedVersion& listed) { return !listed.signers.empty(); });
  if (has_signers) columns.push_back({"SIGNED BY"});
  columns.push_back({"DIGEST"});
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < versions.size(); i++) {
    const ListedVersion& listed = versions[i];
    std::vector<std::string>& row =
        rows.emplace_back(listed_row(listed, find_earlier(versions, i)));
    if (has_signers) row.push_back(listed.signers.empty() ? "-" : joined(listed.signers));
    row.push_back(listed.digest);
  }
  TextSheet sheet;
  sheet.table(columns, rows);
  return sheet.text().substr(1);  // without the empty line before it
}

Message moved_tag(const std::string& place, const std::string& from, const std::string& to) {
  return note(place + ": the tag moved from " + from + " to " + to);
}

}  // namespace

json profile_file_json(const ProfileFile& file) {
  json result = {{"kind", file_kind_name(file.kind)},
                 {"name", file.name},
                 {"digest", file.digest},
                 {"size", file.size}};
  set_text(result, "media_type", file.media_type);
  set_text(result, "configuration", file.configuration);
  set_text(result, "library", file.library);
  set_text(result, "bolt_of", file.bolt_of);
  if (!file.of_builds.empty()) result["of_builds"] = file.of_builds;
  if (file.evidence != Evidence::kUnknown) result["evidence"] = evidence_name(file.evidence);
  if (file.quality != Quality::kUnknown) result["quality"] = quality_name(file.quality);
  if (file.density) result["density"] = *file.density;
  if (file.split_half_overlap) result["split_half_overlap"] = *file.split_half_overlap;
  if (file.samples) result["samples"] = *file.samples;
  return result;
}

std::string push_text(const PushResult& result) { return result.digest + "\n"; }

json push_json(const PushResult& result, const RegistryReference& to) {
  json object = version_json(result.version);
  object["reference"] = reference_text(to);
  object["digest"] = result.digest;
  object["new"] = result.is_new;
  object["repaired"] = result.is_repaired;
  set_text(object, "moved_from", result.moved_from);
  set_text(object, "signed_by", result.signed_by);
  object["pushed_files"] = result.pushed_files;
  object["pushed_bytes"] = result.pushed_bytes;
  object["warnings"] = warnings_json(result.diagnostics);
  return object;
}

std::vector<Message> push_messages(const PushResult& result, const RegistryReference& to) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  const std::string place = reference_text(to);
  messages.push_back(
      note(result.is_new        ? place + ": pushed " +
                                      new_files_text(result.pushed_files, result.pushed_bytes,
                                                     result.version.files.size())
           : result.is_repaired ? place + ": this version was damaged and is repaired; " +
                                      format_count(result.pushed_files, "file") + " with " +
                                      format_size(result.pushed_bytes) + " " +
                                      (result.pushed_files == 1 ? "was" : "were") + " written again"
                                : place + ": this version already exists"));
  if (!result.moved_from.empty())
    messages.push_back(moved_tag(place, result.moved_from, result.digest));
  if (!result.signed_by.empty())
    messages.push_back(note(
        place +
        (result.is_signature_new ? ": signed by the key " : ": is already signed by the key ") +
        result.signed_by));
  return messages;
}

std::string pull_text(const PullResult& result) {
  TextSheet sheet;
  for (const PulledFile& pulled : result.files) sheet.line(pulled.file.digest + "  " + pulled.path);
  return sheet.text();
}

json pull_json(const PullResult& result) {
  json files = json::array();
  for (const PulledFile& pulled : result.files) {
    json file = profile_file_json(pulled.file);
    set_text(file, "profile", pulled.profile);
    file["path"] = pulled.path;
    file["from_cache"] = pulled.was_cached;
    files.push_back(std::move(file));
  }
  json object = {{"files", std::move(files)},
                 {"fetched_bytes", result.fetched_bytes},
                 {"verified_keys", result.verified_keys},
                 {"warnings", warnings_json(result.diagnostics)}};
  set_text(object, "digest", result.digest);
  return object;
}

std::vector<Message> pull_messages(const PullResult& result) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  uint64_t cached = 0;
  for (const PulledFile& pulled : result.files) cached += pulled.was_cached ? 1 : 0;
  messages.push_back(note(format_count(result.files.size(), "file") + ", " + format_count(cached) +
                          " of them from the cache; " + format_size(result.fetched_bytes) +
                          " fetched"));
  for (const std::string& key : result.verified_keys)
    messages.push_back(note("the signature by the key " + key + " is valid"));
  return messages;
}

std::string list_text(const VersionList& list) {
  TextSheet sheet;
  if (list.versions.empty() && list.damaged.empty()) sheet.line("no versions");
  for (const DamagedArtifact& one : list.damaged)
    sheet.line((one.tags.empty() ? one.digest : joined(one.tags)) +
               ": cannot be read: " + one.reason);
  uint64_t others = 0, builds = 0;
  for (const OtherArtifact& other : list.others) {
    if (other.type == kBuildArtifactType)
      builds++;
    else if (other.type != kSignatureArtifact)
      others++;
  }
  if (builds > 0) sheet.line("and " + format_count(builds, "build") + " that pgo archive keeps");
  if (others > 0)
    sheet.line("and " + format_count(others, "artifact that is not a profile",
                                     "artifacts that are not profiles"));
  return (list.versions.empty() ? "" : listed_table(list.versions)) + sheet.text();
}

json list_json(const VersionList& list) {
  json others = json::array();
  for (const OtherArtifact& other : list.others) {
    json object = {{"digest", other.digest}, {"artifact_type", other.type}, {"tags", other.tags}};
    set_text(object, "subject", other.subject);
    others.push_back(std::move(object));
  }
  json damaged = json::array();
  for (const DamagedArtifact& one : list.damaged) {
    json object = {{"tags", one.tags}, {"reason", one.reason}};
    set_text(object, "digest", one.digest);
    damaged.push_back(std::move(object));
  }
  return {{"versions", listed_versions_json(list.versions)},
          {"others", std::move(others)},
          {"damaged", std::move(damaged)}};
}

std::string lock_text(const LockFile& lock) {
  TextSheet sheet;
  if (lock.profiles.empty()) {
    sheet.line("no profile is pinned");
    return sheet.text();
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, entry] : lock.profiles) {
    std::vector<const ProfileFile*> profiles;
    for (const ProfileFile& file : entry.files)
      if (file.kind <= FileKind::kGo) profiles.push_back(&file);
    std::vector<std::string>& row =
        rows.emplace_back(std::vector<std::string>{name, recorded_until(entry.window)});
    for (std::string& cell : profile_cells(profiles, profiles.empty() ? nullptr : profiles[0]))
      row.push_back(std::move(cell));
    row.push_back(entry.reference);
    row.push_back(entry.manifest);
  }
  sheet.table({{"NAME"},
               {"RECORDED UNTIL"},
               {"PROFILES"},
               {"SAMPLES", Align::kRight},
               {"QUALITY"},
               {"PINNED FROM"},
               {"DIGEST"}},
              rows);
  return sheet.text().substr(1);  // without the empty line before it
}

json lock_json(const LockFile& lock, const Diagnostics& diagnostics) {
  json profiles = json::array();
  for (const auto& [name, entry] : lock.profiles) {
    json object = {{"name", name},
                   {"reference", entry.reference},
                   {"manifest", entry.manifest},
                   {"window", recorded_json(entry.window)},
                   {"files", profile_files_json(entry.files)}};
    set_text(object, "previous", entry.previous);
    set_text(object, "signed_by", entry.signed_by);
    profiles.push_back(std::move(object));
  }
  return {{"profiles", std::move(profiles)}, {"warnings", warnings_json(diagnostics)}};
}

std::string pin_text(const PinResult& result, const PinRequest& request) {
  TextSheet sheet;
  const std::string what = request.lock + ": " + request.name + ": ";
  if (!result.is_changed)
    sheet.line(what + "is already pinned to " + result.entry.manifest);
  else if (result.before.empty() || result.before == result.entry.manifest)
    sheet.line(what + "pinned to " + result.entry.manifest);
  else
    sheet.line(what + "pinned to " + result.entry.manifest + " (was " + result.before + ")");
  return sheet.text();
}

json pin_json(const PinResult& result, const PinRequest& request) {
  json object = {{"lock", request.lock},
                 {"name", request.name},
                 {"reference", result.entry.reference},
                 {"manifest", result.entry.manifest},
                 {"changed", result.is_changed},
                 {"files", profile_files_json(result.entry.files)},
                 {"warnings", warnings_json(result.diagnostics)}};
  set_text(object, "before", result.before);
  set_text(object, "previous", result.entry.previous);
  set_text(object, "signed_by", result.entry.signed_by);
  return object;
}

std::string copy_text(const CopyResult& result) { return result.digest + "\n"; }

json copy_json(const CopyResult& result) {
  json object = {{"digest", result.digest},
                 {"tag", result.tag},
                 {"referrers", result.referrers},
                 {"copied_blobs", result.copied_blobs},
                 {"copied_bytes", result.copied_bytes}};
  set_text(object, "moved_from", result.moved_from);
  return object;
}

std::vector<Message> copy_messages(const CopyResult& result, const RegistryReference& to) {
  RegistryReference copy = to;
  copy.tag = result.tag;
  const std::string place = reference_text(copy);
  std::vector<Message> messages = {note(
      place + ": copied " + format_count(result.copied_blobs, "blob") + " with " +
      format_size(result.copied_bytes) + ", and " + format_count(result.referrers, "referrer"))};
  if (!result.moved_from.empty())
    messages.push_back(moved_tag(place, result.moved_from, result.digest));
  return messages;
}

std::string gc_text(const GarbageResult& result, OciLayout::Removal removal) {
  const bool is_dry = removal == OciLayout::Removal::kDryRun;
  TextSheet sheet;
  sheet.line(std::string(is_dry ? "would remove " : "removed ") +
             format_count(result.removed.size(), "version") + ", " +
             format_count(result.removed_referrers, "referrer") + ": " +
             format_count(result.blobs, "blob") + " with " + format_size(result.bytes) + "; kept " +
             format_count(result.kept.size(), "version") +
             (result.unreadable == 0
                  ? ""
                  : ", and " + format_count(result.unreadable) + " that cannot be read"));
  return sheet.text() + (result.removed.empty() ? "" : "\n" + listed_table(result.removed));
}

json gc_json(const GarbageResult& result, OciLayout::Removal removal) {
  return {{"dry_run", removal == OciLayout::Removal::kDryRun},
          {"kept", listed_versions_json(result.kept)},
          {"unreadable", result.unreadable},
          {"removed", listed_versions_json(result.removed)},
          {"removed_referrers", result.removed_referrers},
          {"blobs", result.blobs},
          {"bytes", result.bytes},
          {"warnings", warnings_json(result.diagnostics)}};
}

}  // namespace pgo
