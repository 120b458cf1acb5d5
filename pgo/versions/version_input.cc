#include "pgo/versions/version_input.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "pgo/base/atomic_file.h"
#include "pgo/registry/library_name.h"
#include "pgo/source/bundle.h"
#include "pgo/versions/locked_reference.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr FileKind kKinds[] = {FileKind::kLlvm,    FileKind::kGcc,        FileKind::kBolt,
                               FileKind::kGo,      FileKind::kPrebolt,    FileKind::kReport,
                               FileKind::kAddress, FileKind::kPprof,      FileKind::kBundle,
                               FileKind::kSummary, FileKind::kGeneration, FileKind::kOther};

// "llvm, gcc".
std::string names_of(const std::vector<FileKind>& kinds) {
  std::string names;
  for (FileKind kind : kinds)
    names += (names.empty() ? "" : ", ") + std::string(file_kind_name(kind));
  return names;
}

// "server.prof (llvm), server.fdata (bolt, clang-lto)".
std::string names_of(const std::vector<ProfileFile>& files) {
  std::string names;
  for (const ProfileFile& file : files)
    names += (names.empty() ? "" : ", ") + file.name + " (" +
             std::string(file_kind_name(file.kind)) +
             (file.configuration.empty() ? "" : ", " + file.configuration) +
             (file.library.empty() ? "" : ", " + file.library) + ")";
  return names;
}

std::string conditions_text(const VersionInput& input) {
  std::string text;
  auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : ",") + std::string(key) + "=" + value;
  };
  add("kind", input.kind);
  add("file", input.file);
  add("configuration", input.configuration);
  return text;
}

// A lock file is named like one, or is JSON: "trace.data#x" says nothing of a lock file.
bool may_be_lock(const std::string& path) {
  if (path.ends_with(".lock")) return true;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && first == '{';
}

Result<void> add_condition(std::string_view text, VersionInput& input) {
  auto take = [&](std::string_view key, std::string& value) {
    if (!text.starts_with(key)) return false;
    value = text.substr(key.size());
    return true;
  };
  if (take("file=", input.file) || take("configuration=", input.configuration)) return ok();
  if (take("kind=", input.kind)) {
    if (std::any_of(std::begin(kKinds), std::end(kKinds),
                    [&](FileKind kind) { return file_kind_name(kind) == input.kind; }))
      return ok();
    return fail(ErrorKind::kUsage,
                input.text + ": '" + input.kind + "' is not a kind of file; the kinds are " +
                    names_of(std::vector<FileKind>(std::begin(kKinds), std::end(kKinds))));
  }
  input.others += (input.others.empty() ? "" : ",") + std::string(text);
  return ok();
}

Result<void> add_conditions(std::string_view text, VersionInput& input) {
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    PGO_CHECK(add_condition(text.substr(0, comma), input));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return ok();
}

bool holds(const VersionInput& input, const ProfileFile& file) {
  return (input.kind.empty() || file_kind_name(file.kind) == input.kind) &&
         (input.file.empty() || file.name == input.file) &&
         (input.configuration.empty() || file.configuration == input.configuration);
}

// What conditions choose, preferably of a kind that the command reads.
std::vector<ProfileFile> fitting(const VersionInput& input, const std::vector<FileKind>& kinds,
                                 const std::vector<ProfileFile>& files) {
  std::vector<ProfileFile> held, read;
  for (const ProfileFile& file : files) {
    if (!holds(input, file)) continue;
    held.push_back(file);
    if (std::find(kinds.begin(), kinds.end(), file.kind) != kinds.end()) read.push_back(file);
  }
  return input.has_conditions() && read.empty() ? held : read;
}

// For a command that compares, but none of these files, and not what is for compilers.
std::string advice_on_compilers(const std::vector<FileKind>& kinds,
                                const std::vector<ProfileFile>& files) {
  bool is_for_compilers = false;
  for (const ProfileFile& file : files) {
    if (std::find(kinds.begin(), kinds.end(), file.kind) != kinds.end()) return "";
    is_for_compilers |= file.kind == FileKind::kLlvm || file.kind == FileKind::kGcc;
  }
  if (!is_for_compilers || std::find(kinds.begin(), kinds.end(), FileKind::kPprof) == kinds.end())
    return "";
  return "push address or pprof profiles, too; 'pgo lock diff' compares what is for compilers";
}

// Chooses among the files of a version, or those of it that a lock file lists.
using ChooseFiles = Result<std::vector<ProfileFile>>(const VersionInputRequest& request,
                                                     const std::vector<ProfileFile>& files);

// What `request` can mean. A file that it names fits every binary.
std::vector<ProfileFile> candidates(const VersionInputRequest& request,
                                    const std::vector<ProfileFile>& files) {
  return request.binary.empty() || !request.input.file.empty()
             ? files
             : files_for_binary(request.binary, files);
}

Result<std::vector<ProfileFile>> choose_one(const VersionInputRequest& request,
                                            const std::vector<ProfileFile>& files) {
  const VersionInput& input = request.input;
  const std::vector<ProfileFile> left = candidates(request, files);
  if (left.size() < files.size() && fitting(input, request.kinds, left).empty())
    return fail(ErrorKind::kUsage,
                input.text + ": has no BOLT profile of " + request.binary + ": " + names_of(files),
                "push it with \xFF{library} FILE=NAME, or choose one of another binary with file=");
  PGO_TRY(ProfileFile file, choose_file(input, request.kinds, left));
  return std::vector<ProfileFile>{std::move(file)};
}

// None where none fits.
Result<std::vector<ProfileFile>> choose_one_if_any(const VersionInputRequest& request,
                                                   const std::vector<ProfileFile>& files) {
  if (fitting(request.input, request.kinds, candidates(request, files)).empty())
    return std::vector<ProfileFile>();
  return choose_one(request, files);
}

Result<PullResult> pull_chosen(const VersionInputRequest& request, PullRequest pull_request,
                               ChooseFiles* choose) {
  pull_request.open = request.open;
  pull_request.cache = request.cache;
  pull_request.choose = [&](const std::vector<ProfileFile>& files) {
    return choose(request, files);
  };
  return pull(pull_request);
}

Result<PulledInput> pull_version(const VersionInputRequest& request, RegistryReference reference) {
  PullRequest pull_request;
  pull_request.from = reference;
  PGO_TRY(PullResult pulled, pull_chosen(request, std::move(pull_request), choose_one));
  reference.digest = pulled.digest;
  return PulledInput{std::move(pulled.files.at(0)), reference_text(reference),
                     std::move(pulled.diagnostics)};
}

Result<PulledInput> pull_locked_input(const VersionInputRequest& request) {
  const VersionInput& input = request.input;
  Diagnostics ignored;  // pull() has the same
  PGO_TRY(const LockFile lock, read_lock_file(input.lock, ignored));
  auto found = lock.profiles.find(input.name);
  if (found == lock.profiles.end()) return no_locked_profile(lock, input.lock, input.name);
  PGO_TRY(RegistryReference reference, locked_reference(found->second, input.lock));
  PullRequest pull_request;
  pull_request.lock = input.lock;
  pull_request.names = {input.name};
  PGO_TRY(PullResult pulled, pull_chosen(request, std::move(pull_request), choose_one_if_any));
  // A lock file lists only what builds use; the manifest has the other files.
  if (pulled.files.empty()) {
    PGO_TRY(PulledInput result, pull_version(request, std::move(reference)));
    result.diagnostics = std::move(pulled.diagnostics);
    return result;
  }
  return PulledInput{std::move(pulled.files[0]), reference_text(reference),
                     std::move(pulled.diagnostics)};
}

// What a build would use with `profile`. Error: kUsage when it could not choose.
Result<std::vector<ProfileFile>> choose_recorded_build(const VersionInput& input,
                                                       const ProfileFile& profile,
                                                       const std::vector<ProfileFile>& files) {
  std::vector<ProfileFile> builds;
  for (const ProfileFile& file : files)
    if (file.kind == FileKind::kPrebolt && file.configuration == profile.configuration &&
        file.library == profile.library)
      builds.push_back(file);
  if (builds.size() <= 1) return builds;
  return fail(
      ErrorKind::kUsage,
      input.text + ": has several recorded builds of " + profile.name + ": " + names_of(builds),
      "push only one, or name it with \xFF{stale}");
}

// Without a copy where the file system allows it.
Result<void> link_or_copy(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (error) fs::copy_file(from, to, error);
  if (error) return fail(ErrorKind::kIo, to + ": cannot copy " + from + ": " + error.message());
  return ok();
}

std::string source_bundle_text(const PulledInput& input) {
  const ProfileFile& file = input.file.file;
  BundleMember member;
  member.path = member.object = file.name;
  member.size = file.size;
  member.digest = file.digest;
  member.source = input.version;
  member.builds = file.of_builds;
  member.samples = file.samples.value_or(0);
  Bundle bundle;
  bundle.sources = {input.version};
  bundle.members = {std::move(member)};
  return bundle_text(bundle);
}

// A report of pgo convert, as far as pgo bolt reads it.
std::string evidence_text(const ProfileFile& file) {
  const nlohmann::json json = {{"branches", nlohmann::json::object()},
                               {"outputs",
                                {{{"digest", file.digest},
                                  {"evidence", evidence_name(file.evidence)},
                                  {"quality", quality_name(file.quality)}}}},
                               {"samples", nlohmann::json::object()}};
  return json.dump() + "\n";
}

}  // namespace

Result<std::optional<VersionInput>> parse_version_input(const std::string& argument) {
  const size_t hash = std::min(argument.find('#'), argument.size());
  std::string_view conditions(argument);
  conditions.remove_prefix(std::min(hash + 1, argument.size()));
  VersionInput input;
  input.text = argument.substr(0, hash);
  std::error_code ignored;
  if (fs::exists(argument, ignored)) return std::optional<VersionInput>();
  if (is_reference(argument)) {
    PGO_TRY(input.reference, parse_reference(input.text));
  } else {
    input.lock = input.text;
    input.name = conditions.substr(0, conditions.find(','));
    if (!is_profile_name(input.name) || !may_be_lock(input.lock))
      return std::optional<VersionInput>();
    input.text += "#" + input.name;
    conditions.remove_prefix(std::min(input.name.size() + 1, conditions.size()));
  }
  PGO_CHECK(add_conditions(conditions, input));
  return std::optional(std::move(input));
}

Result<ProfileFile> choose_file(const VersionInput& input, const std::vector<FileKind>& kinds,
                                const std::vector<ProfileFile>& files) {
  std::vector<ProfileFile> left = fitting(input, kinds, files);
  if (left.size() == 1) return std::move(left[0]);
  const std::string wanted = input.has_conditions()
                                 ? "with " + conditions_text(input)
                                 : "of a kind that is read here (" + names_of(kinds) + ")";
  if (left.empty())
    return fail(ErrorKind::kUsage, input.text + ": has no file " + wanted + ": " + names_of(files),
                advice_on_compilers(kinds, files));
  const char first = input.reference ? '#' : ',';
  return fail(ErrorKind::kUsage,
              input.text + ": has several files " + wanted + ": " + names_of(left),
              "choose one: '" + input.text + first + "file=" + left[0].name + "', say");
}

std::vector<ProfileFile> files_for_binary(const std::string& binary,
                                          std::vector<ProfileFile> files) {
  const std::string name = library_name(binary);
  const bool is_library = name.ends_with(".so") ||
                          std::any_of(files.begin(), files.end(), [&](const ProfileFile& file) {
                            return !name.empty() && file.library == name;
                          });
  const std::string library = is_library ? name : "";
  std::erase_if(files, [&](const ProfileFile& file) {
    return file.kind == FileKind::kBolt && file.library != library;
  });
  return files;
}

Result<PulledInput> pull_input(const VersionInputRequest& request) {
  if (request.input.reference) return pull_version(request, *request.input.reference);
  return pull_locked_input(request);
}

Result<std::optional<PulledInput>> pull_recorded_build(const VersionInputRequest& request,
                                                       const PulledInput& profile) {
  PullRequest pull_request;
  pull_request.open = request.open;
  pull_request.cache = request.cache;
  if (request.input.reference) {
    PGO_TRY(pull_request.from, parse_reference(profile.version));
  } else {
    pull_request.lock = request.input.lock;
    pull_request.names = {request.input.name};
  }
  pull_request.choose = [&](const std::vector<ProfileFile>& files) {
    return choose_recorded_build(request.input, profile.file.file, files);
  };
  PGO_TRY(PullResult pulled, pull(pull_request));
  if (pulled.files.empty()) return std::optional<PulledInput>();
  // pull_input() had the same warnings.
  return std::optional(PulledInput{std::move(pulled.files[0]), profile.version, {}});
}

Result<std::string> place_input(const PulledInput& input, const std::string& directory,
                                Placement placement) {
  const ProfileFile& file = input.file.file;
  const std::string path = directory + "/" + file.name;
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    return fail(ErrorKind::kIo, directory + ": cannot make the directory: " + error.message());
  PGO_CHECK(link_or_copy(input.file.path, path));
  if (placement == Placement::kBundle && is_member_path(file.name)) {
    PGO_CHECK(write_file_atomically(directory + "/" + kBundleName, source_bundle_text(input)));
    return directory;
  }
  if (file.kind == FileKind::kBolt && file.evidence != Evidence::kUnknown)
    PGO_CHECK(write_file_atomically(path + ".json", evidence_text(file)));
  return path;
}

}  // namespace pgo
