#include "pgo/source/input_files.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"
#include "pgo/source/directory_files.h"
#include "pgo/source/known_files.h"
#include "pgo/source/source_address.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxListDepth = 8;  // a list may name lists; more levels are a loop
constexpr uint64_t kMaxListBytes = uint64_t{256} << 20;

// What the arguments stand for so far.
struct FoundInputs {
  InputLimits limits;
  std::vector<InputFile> files;
  size_t lists = 0;
  bool has_list_of_stdin = false, has_stdin = false;

  Result<void> add(std::string path, bool from_directory) {
    has_stdin = has_stdin || path == "-";
    if (files.size() == limits.inputs)
      return fail(ErrorKind::kInput,
                  path + ": there are more than " + std::to_string(limits.inputs) + " inputs");
    files.push_back({.path = std::move(path), .from_directory = from_directory});
    return ok();
  }
};

Result<void> add(const std::string& argument, int depth, FoundInputs& inputs);

Result<void> add_bundle(const std::string& directory, Bundle bundle, FoundInputs& inputs) {
  if (bundle.members.empty())
    return fail(ErrorKind::kInput, directory + ": this bundle has no members");
  auto shared = std::make_shared<InputBundle>();
  shared->directory = directory;
  shared->weights = relative_weights(bundle);
  shared->bundle = std::move(bundle);
  const std::string prefix = directory + (directory.ends_with('/') ? "" : "/");
  for (size_t i = 0; i < shared->bundle.members.size(); i++) {
    const BundleMember& member = shared->bundle.members[i];
    PGO_CHECK(check_member_file(directory, member.path, member.size));
    PGO_CHECK(inputs.add(prefix + member.path, false));
    InputFile& file = inputs.files.back();
    file.weight = shared->weights[i];
    file.bundle = shared;
    file.member = i;
  }
  return ok();
}

// As plain files, members of a bundle would count without their weights.
Result<void> refuse_bundle_below(const std::string& path, const std::vector<std::string>& found) {
  for (const std::string& file : found) {
    const fs::path name(file);
    if (name.filename() != kBundleName) continue;
    const std::string directory = name.parent_path().string();
    if (Result<std::optional<Bundle>> bundle = read_bundle(directory); bundle && *bundle)
      return fail(ErrorKind::kUsage, directory + ": is a bundle in the directory " + path,
                  "name each bundle as an input of its own");
  }
  return ok();
}

Result<void> add_directory(const std::string& path, FoundInputs& inputs) {
  PGO_TRY(std::optional<Bundle> bundle, read_bundle(path));
  if (bundle) return add_bundle(path, *std::move(bundle), inputs);
  PGO_TRY(std::vector<std::string> found, files_below(path, inputs.limits.inputs));
  if (found.empty()) return fail(ErrorKind::kInput, path + ": no file in this directory");
  PGO_CHECK(refuse_bundle_below(path, found));
  for (std::string& file : found) PGO_CHECK(inputs.add(std::move(file), true));
  return ok();
}

// Paths have no NUL, and devices have no end.
bool is_list(Bytes start) { return std::find(start.begin(), start.end(), 0) == start.end(); }

Result<void> add_list(const std::string& path, int depth, FoundInputs& inputs) {
  if (depth == kMaxListDepth)
    return fail(ErrorKind::kInput, path + ": lists are nested more than 8 deep");
  if (inputs.lists++ == inputs.limits.lists)
    return fail(ErrorKind::kInput, path + ": there are more than " +
                                       std::to_string(inputs.limits.lists) + " lists of inputs");
  if (path == "-") {
    if (inputs.has_list_of_stdin)
      return fail(ErrorKind::kUsage, "@-: is named twice, and standard input is read once");
    inputs.has_list_of_stdin = true;
  }
  Result<MappedFile> list = MappedFile::open(path, {.wants = is_list, .limit = kMaxListBytes});
  if (!list) return fail(list.error().kind, "list of inputs " + list.error().message);
  Bytes bytes = list->bytes();
  if (!is_list(bytes))
    return fail(ErrorKind::kInput, path + ": is not a list of inputs: it has a NUL byte");
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && line[0] != '#') PGO_CHECK(add(std::string(line), depth + 1, inputs));
  }
  return ok();
}

// What matches is a path, even where it looks like a pattern or like a list.
Result<void> add_glob(const std::string& pattern, FoundInputs& inputs) {
  glob_t matches{};
  int status = ::glob(pattern.c_str(), GLOB_TILDE, nullptr, &matches);
  std::vector<std::string> paths(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  ::globfree(&matches);
  if (status != 0 || paths.empty())
    return fail(ErrorKind::kInput, pattern + ": no file matches this pattern");
  std::sort(paths.begin(), paths.end());
  std::error_code ignored;
  for (const std::string& path : paths)
    PGO_CHECK(fs::is_directory(path, ignored) ? add_directory(path, inputs)
                                              : inputs.add(path, false));
  return ok();
}

Result<void> add(const std::string& argument, int depth, FoundInputs& inputs) {
  std::error_code ignored;
  if (argument.starts_with('@')) return add_list(argument.substr(1), depth, inputs);
  const fs::file_status status = fs::status(argument, ignored);
  if (fs::is_directory(status)) return add_directory(argument, inputs);
  const bool exists = argument == "-" || fs::exists(status);
  // Whoever takes sources has fetched those that are arguments.
  if (const std::optional<SourceAddress> source = parse_source_address(argument); source && !exists)
    return fail(ErrorKind::kUsage,
                source->shown + (depth > 0 ? ": is a source, and lists name files"
                                           : ": is a source, and a file is expected here"),
                source->scheme.starts_with("oci")
                    ? "pull it first ('pgo pull'), and name the file"
                    : "fetch it first ('pgo fetch'), and name the bundle");
  if (!exists && argument.find_first_of("*?[") != std::string::npos)
    return add_glob(argument, inputs);
  return inputs.add(argument, false);
}

}  // namespace

Result<std::vector<InputFile>> find_input_files(const std::vector<std::string>& arguments,
                                                const InputLimits& limits) {
  FoundInputs found{limits, {}};
  for (const std::string& argument : arguments) PGO_CHECK(add(argument, 0, found));
  std::vector<InputFile> files = std::move(found.files);
  if (found.has_list_of_stdin && found.has_stdin)
    return fail(ErrorKind::kUsage,
                "-: standard input is an input, and @- reads the names of inputs from it",
                "write the names to a file, and name it as @LIST");
  if (files.empty()) return fail(ErrorKind::kUsage, "the list of inputs is empty");
  std::stable_sort(files.begin(), files.end(),
                   [](const InputFile& a, const InputFile& b) { return a.path < b.path; });
  KnownFiles known;
  for (InputFile& file : files) file.named_before = !known.add(file.path);
  return files;
}

Labels InputFile::labels() const {
  return bundle ? bundle->bundle.members[member].labels : Labels();
}

Origins InputFile::origins() const {
  return bundle ? bundle->bundle.members[member].origins() : Origins();
}

Result<void> check_digest(const InputFile& file, Bytes stored) {
  if (!file.bundle) return ok();
  if ("sha256:" + Sha256::hex_of(stored) == file.bundle->bundle.members[file.member].digest)
    return ok();
  return changed_member(file.shown());
}

std::vector<std::shared_ptr<const InputBundle>> bundles_of(const std::vector<InputFile>& files) {
  std::vector<std::shared_ptr<const InputBundle>> bundles;
  for (const InputFile& file : files)
    if (file.bundle && std::find(bundles.begin(), bundles.end(), file.bundle) == bundles.end())
      bundles.push_back(file.bundle);
  return bundles;
}

bool skip_if_found(const InputFile& file, const Error& error, Diagnostics& diagnostics) {
  if (!file.from_directory) return false;
  const char* kind = error.kind == ErrorKind::kInput                        ? kDamagedInput
                     : error.kind == ErrorKind::kEmpty                      ? kUnsupportedInput
                     : error.kind == ErrorKind::kIo && is_closed(file.path) ? kUnreadableInput
                                                                            : nullptr;
  if (kind == nullptr) return false;
  diagnostics.warn(kind, "skipped: " + error.message);
  return true;
}

std::string name_unreadable(const Diagnostics& diagnostics) {
  for (const char* kind :
       {kDamagedInput, kUnreadableInput, kUnsupportedInput, kEmptyInput, kOtherInput})
    if (auto found = diagnostics.entries().find(kind); found != diagnostics.entries().end())
      return "; " + found->second.messages[0];
  return "";
}

}  // namespace pgo
