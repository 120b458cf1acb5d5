#include "pgo/registry/lock_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <set>

#include "pgo/base/json_fields.h"
#include "pgo/base/json_nesting.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"
#include "pgo/base/spelling.h"
#include "pgo/base/time_text.h"
#include "pgo/base/unique_fd.h"
#include "pgo/base/utf8.h"
#include "pgo/registry/library_name.h"
#include "pgo/registry/reference.h"
#include "pgo/registry/version_word.h"

namespace pgo {
namespace {

using nlohmann::json;

constexpr size_t kMaxLockFile = size_t{16} << 20;
constexpr size_t kMaxShownKey = 100;

// Line of the first conflict marker of git; 0 when there is none.
size_t conflict_line(std::string_view text) {
  for (size_t line = 1; !text.empty(); line++) {
    const std::string_view first = text.substr(0, text.find('\n'));
    for (std::string_view marker : {"<<<<<<<", "|||||||", "=======", ">>>>>>>"})
      if (first.starts_with(marker)) return line;
    text.remove_prefix(std::min(first.size() + 1, text.size()));
  }
  return 0;
}

// A key that an object of the text has twice; nothing when there is none, or no JSON.
std::optional<std::string> key_that_is_twice(std::string_view text) {
  std::vector<std::set<std::string>> objects;
  std::optional<std::string> found;
  auto look = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) objects.emplace_back();
    if (event == json::parse_event_t::object_end) objects.pop_back();
    if (event == json::parse_event_t::key && !found &&
        !objects.back().insert(value.get<std::string>()).second)
      found = value.get<std::string>();
    return true;
  };
  [[maybe_unused]] const json ignored = json::parse(text, look, /*allow_exceptions=*/false);
  return found;
}

std::string window_text(const TimeWindow& window) {
  return format_time(window.begin) + "/" + format_time(window.end);
}

void read_window(JsonFields& fields, LockEntry& entry) {
  const std::string text = fields.optional_text("window");
  if (text.empty()) return;
  const size_t slash = std::min(text.find('/'), text.size());
  const std::optional<int64_t> from = parse_time(text.substr(0, slash));
  const std::optional<int64_t> to =
      slash == text.size() ? std::nullopt : parse_time(text.substr(slash + 1));
  if (from && to)
    entry.window = TimeWindow{*from, *to};
  else
    fields.wrong("window", "two times, such as 2026-11-19T00:00:00Z/2026-11-26T00:00:00Z");
}

void require_digest(JsonFields& fields, const char* key, const std::string& digest,
                    JsonProblem& problem) {
  if (!problem.first && !is_sha256_digest(digest))
    fields.wrong(key, "'sha256:' and 64 hexadecimal digits");
}

void require_build(JsonFields& fields, const char* key, const std::string& build) {
  if (build.find_first_not_of("0123456789abcdef") != build.npos) fields.wrong(key, "a build ID");
}

std::string value_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// With a warning for each.
UnknownFields unknown_fields(const json& object, const std::string& place,
                             std::initializer_list<const char*> known, const std::string& name,
                             Diagnostics& diagnostics) {
  UnknownFields unknown;
  if (!object.is_object()) return unknown;
  for (auto field = object.begin(); field != object.end(); ++field) {
    if (std::find(known.begin(), known.end(), field.key()) != known.end()) continue;
    unknown[field.key()] = value_text(*field);
    diagnostics.warn("unknown-lock-field", name + ": '" + field.key().substr(0, kMaxShownKey) +
                                               "' of " + place + " is not known, and is ignored");
  }
  return unknown;
}

void add_unknown(const UnknownFields& unknown, json& object) {
  for (const auto& [key, value] : unknown)
    if (!object.contains(key)) object[key] = json::parse(value);
}

// By kind, configuration, library and path, as the others.
void sort_unknown_files(std::vector<std::string>& files) {
  std::vector<std::pair<std::vector<std::string>, std::string>> keyed;
  for (std::string& text : files) {
    const json file = json::parse(text);
    std::vector<std::string> key;
    for (const char* field : {"kind", "configuration", "library", "path"})
      key.push_back(file.contains(field) ? file[field].get<std::string>() : "");
    keyed.emplace_back(std::move(key), std::move(text));
  }
  std::sort(keyed.begin(), keyed.end());
  for (size_t i = 0; i < files.size(); i++) files[i] = std::move(keyed[i].second);
}

std::optional<FileKind> find_locked_kind(std::string_view name) {
  for (FileKind kind : {FileKind::kLlvm, FileKind::kGcc, FileKind::kBolt, FileKind::kGo,
                        FileKind::kPrebolt, FileKind::kReport})
    if (file_kind_name(kind) == name) return kind;
  return std::nullopt;
}

// Reads one lock file; keeps what is wrong, and what is strange.
class LockReader {
 public:
  LockReader(const std::string& name, Diagnostics& diagnostics)
      : name_(name), diagnostics_(diagnostics) {}

  LockEntry entry(const json& object, const std::string& place) {
    JsonFields fields(object, place, problem);
    LockEntry entry;
    entry.reference = fields.text("reference");
    require_reference("reference", entry.reference, place);
    entry.manifest = fields.text("manifest");
    require_digest(fields, "manifest", entry.manifest, problem);
    entry.previous = fields.optional_text("previous");
    if (!entry.previous.empty()) require_digest(fields, "previous", entry.previous, problem);
    entry.previous_reference = fields.optional_text("previous_reference");
    if (!entry.previous_reference.empty())
      require_reference("previous_reference", entry.previous_reference, place);
    entry.previous_signed_by = fields.optional_text("previous_signed_by");
    entry.previous_inputs = fields.optional_text("previous_inputs");
    if (!entry.previous_inputs.empty())
      require_digest(fields, "previous_inputs", entry.previous_inputs, problem);
    read_window(fields, entry);
    entry.source = fields.optional_text("source");
    entry.tool = fields.optional_text("tool");
    entry.inputs = fields.optional_text("inputs");
    if (!entry.inputs.empty()) require_digest(fields, "inputs", entry.inputs, problem);
    entry.signed_by = fields.optional_text("signed_by");
    read_files(fields, entry);
    entry.unknown = unknown_fields(
        object, place,
        {"reference", "manifest", "previous", "previous_reference", "previous_signed_by",
         "previous_inputs", "window", "source", "tool", "inputs", "signed_by", "files"},
        name_, diagnostics_);
    return entry;
  }

  JsonProblem problem;

 private:
  void require_reference(const char* key, const std::string& text, const std::string& place) {
    if (problem.first) return;
    if (Result<RegistryReference> reference = parse_reference(text); !reference)
      problem.note("'" + std::string(key) + "' of " + place + ": " + reference.error().message);
  }

  void read_files(JsonFields& fields, LockEntry& entry) {
    const json* files = fields.find("files");
    if (files == nullptr || !files->is_array()) return fields.wrong("files", "a list");
    std::set<std::string> paths;
    for (size_t i = 0; i < files->size() && !problem.first; i++) {
      const std::string place = "file " + std::to_string(i + 1) + " of " + fields.place();
      std::optional<ProfileFile> read = file((*files)[i], place);
      if (!read && !problem.first) entry.unknown_files.push_back(value_text((*files)[i]));
      if (!read) continue;
      if (!paths.insert(read->name).second)
        problem.note(place + " has the path of another, " + read->name);
      entry.files.push_back(*std::move(read));
    }
    sort_files(entry.files);
    sort_unknown_files(entry.unknown_files);
  }

  // Words that a later pgo knows stay, too.
  static void read_words(JsonFields& fields, ProfileFile& file) {
    const std::string evidence = fields.optional_text("evidence");
    file.evidence = find_evidence(evidence).value_or(Evidence::kUnknown);
    if (!evidence.empty() && !find_evidence(evidence))
      file.unknown["evidence"] = value_text(evidence);
    const std::string quality = fields.optional_text("quality");
    file.quality = find_quality(quality).value_or(Quality::kUnknown);
    if (!quality.empty() && !find_quality(quality)) file.unknown["quality"] = value_text(quality);
  }

  static std::vector<std::string> builds(JsonFields& fields, const char* key) {
    std::vector<std::string> builds = fields.optional_texts(key);
    for (const std::string& build : builds) require_build(fields, key, build);
    std::sort(builds.begin(), builds.end());
    return builds;
  }

  // Nothing for one of a kind that is not known.
  std::optional<ProfileFile> file(const json& object, const std::string& place) {
    JsonFields fields(object, place, problem);
    ProfileFile file;
    const std::string kind = fields.text("kind");
    file.name = fields.text("path");
    if (!problem.first && !is_plain_file_name(file.name))
      fields.wrong("path", "the name of a file without a folder");
    file.digest = fields.text("digest");
    require_digest(fields, "digest", file.digest, problem);
    file.size = fields.number("size", 0, uint64_t{1} << 62);
    file.configuration = fields.optional_text("configuration");
    file.library = fields.optional_text("library");
    if (!problem.first && !file.library.empty() && library_name(file.library) != file.library)
      fields.wrong("library", "the name of a library");
    file.of_builds = builds(fields, "of_builds");
    file.of_libraries = builds(fields, "of_libraries");
    file.bolt_of = fields.optional_text("bolt_of");
    require_build(fields, "bolt_of", file.bolt_of);
    file.unknown = unknown_fields(
        object, place,
        {"kind", "path", "digest", "size", "configuration", "library", "of_builds", "of_libraries",
         "bolt_of", "evidence", "quality", "density", "split_half_overlap", "samples"},
        name_, diagnostics_);
    read_words(fields, file);
    file.density = fields.optional_decimal("density");
    file.split_half_overlap = fields.optional_decimal("split_half_overlap");
    file.samples = fields.optional_number("samples");
    const std::optional<FileKind> known = find_locked_kind(kind);
    if (known) file.kind = *known;
    if (!known && !problem.first)
      diagnostics_.warn("unknown-lock-field", name_ + ": the kind '" +
                                                  kind.substr(0, kMaxShownKey) + "' of " + place +
                                                  " is not known, and the file is ignored");
    return known ? std::optional(std::move(file)) : std::nullopt;
  }

  const std::string& name_;
  Diagnostics& diagnostics_;
};

json file_json(const ProfileFile& file) {
  json result = {{"kind", file_kind_name(file.kind)},
                 {"path", file.name},
                 {"digest", file.digest},
                 {"size", file.size}};
  if (!file.configuration.empty()) result["configuration"] = file.configuration;
  if (!file.library.empty()) result["library"] = file.library;
  if (!file.of_builds.empty()) result["of_builds"] = file.of_builds;
  if (!file.of_libraries.empty()) result["of_libraries"] = file.of_libraries;
  if (!file.bolt_of.empty()) result["bolt_of"] = file.bolt_of;
  if (file.evidence != Evidence::kUnknown) result["evidence"] = evidence_name(file.evidence);
  if (file.quality != Quality::kUnknown) result["quality"] = quality_name(file.quality);
  if (file.density) result["density"] = *file.density;
  if (file.split_half_overlap) result["split_half_overlap"] = *file.split_half_overlap;
  if (file.samples) result["samples"] = *file.samples;
  add_unknown(file.unknown, result);
  return result;
}

json entry_json(const LockEntry& entry) {
  json result = {{"reference", entry.reference}, {"manifest", entry.manifest}};
  if (!entry.previous.empty()) result["previous"] = entry.previous;
  if (!entry.previous_reference.empty()) result["previous_reference"] = entry.previous_reference;
  if (!entry.previous_signed_by.empty()) result["previous_signed_by"] = entry.previous_signed_by;
  if (!entry.previous_inputs.empty()) result["previous_inputs"] = entry.previous_inputs;
  if (entry.window) result["window"] = window_text(*entry.window);
  if (!entry.source.empty()) result["source"] = entry.source;
  if (!entry.tool.empty()) result["tool"] = entry.tool;
  if (!entry.inputs.empty()) result["inputs"] = entry.inputs;
  if (!entry.signed_by.empty()) result["signed_by"] = entry.signed_by;
  result["files"] = json::array();
  for (const ProfileFile& file : entry.files)
    if (is_locked_kind(file.kind)) result["files"].push_back(file_json(file));
  for (const std::string& file : entry.unknown_files) result["files"].push_back(json::parse(file));
  add_unknown(entry.unknown, result);
  return result;
}

}  // namespace

bool is_profile_name(std::string_view text) {
  // It names a directory of pulled files as well.
  return is_version_word(text, 128) && text != "." && text != "..";
}

Result<LockFile> parse_lock_file(std::string_view text, const std::string& name,
                                 Diagnostics& diagnostics) {
  auto wrong = [&](const std::string& what, std::string advice = {}) {
    return fail(ErrorKind::kInput, name + ": is not a lock file: " + what, std::move(advice));
  };
  if (text.size() <= kMaxLockFile)
    if (const size_t line = conflict_line(text))
      return fail(ErrorKind::kInput,
                  name + ": line " + std::to_string(line) + " is a conflict marker of a merge",
                  "keep one side of each profile, or pin it again with 'pgo pin'");
  PGO_TRY(const json object, parse_json(text, kMaxLockFile, name, "is not a lock file"));
  if (std::optional<std::string> twice = key_that_is_twice(text))
    return wrong("it has '" + twice->substr(0, kMaxShownKey) + "' twice",
                 "keep one of them: a merge may have left both");
  LockReader reader(name, diagnostics);
  JsonFields fields(object, "the file", reader.problem);
  const uint64_t version = fields.number("version", 1, ~uint64_t{0});
  if (!reader.problem.first && version > LockFile::kVersion)
    return fail(ErrorKind::kUnsupported,
                name + ": is a lock file of version " + std::to_string(version) +
                    ", and this pgo reads version " + std::to_string(LockFile::kVersion),
                "use a newer pgo");
  LockFile lock;
  const json* profiles = fields.find("profiles");
  if (profiles == nullptr || !profiles->is_object()) {
    fields.wrong("profiles", "an object");
  } else {
    for (auto entry = profiles->begin(); entry != profiles->end(); ++entry) {
      const std::string place = "the profile '" + entry.key().substr(0, kMaxShownKey) + "'";
      if (!is_profile_name(entry.key()))
        reader.problem.note(place +
                            " has a name with other characters than letters, digits, "
                            "'_', '.', '-' and '+'");
      lock.profiles[entry.key()] = reader.entry(*entry, place);
    }
    lock.unknown = unknown_fields(object, "the file", {"version", "profiles"}, name, diagnostics);
  }
  if (reader.problem.first) return wrong(*reader.problem.first);
  return lock;
}

std::string lock_file_text(const LockFile& lock) {
  json profiles = json::object();
  for (const auto& [name, entry] : lock.profiles) profiles[name] = entry_json(entry);
  json result = {{"version", LockFile::kVersion}, {"profiles", std::move(profiles)}};
  add_unknown(lock.unknown, result);
  return result.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

void keep_unknown(const LockEntry& old_entry, LockEntry& entry) {
  entry.unknown = old_entry.unknown;
  // These files belong to the pinned version. A pin of another version lists its own.
  if (entry.manifest == old_entry.manifest) entry.unknown_files = old_entry.unknown_files;
  for (ProfileFile& file : entry.files)
    for (const ProfileFile& old_file : old_entry.files)
      if (file.name == old_file.name && file.digest == old_file.digest)
        file.unknown = old_file.unknown;
}

Result<LockFile> read_lock_file(const std::string& path, Diagnostics& diagnostics,
                                MissingLock missing) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return io_failure(path, "cannot open");
    if (missing == MissingLock::kEmpty) return LockFile();
    return fail(ErrorKind::kInput, path + ": there is no lock file",
                "'pgo refresh' or 'pgo pin NAME REFERENCE' makes one; \xFF{lock} names another");
  }
  if (!S_ISREG(status.st_mode))
    return fail(ErrorKind::kInput, path + ": is not a lock file: it is not a regular file");
  PGO_TRY(const MappedFile file, MappedFile::open(path));
  return parse_lock_file(as_text(file.bytes()), path, diagnostics);
}

Failure no_locked_profile(const LockFile& lock, const std::string& path, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, entry] : lock.profiles) names.push_back(known);
  return fail(ErrorKind::kUsage, path + ": has no profile " + name,
              spelling_advice(name, names, "'pgo pin " + name + " REFERENCE' adds one"));
}

}  // namespace pgo
