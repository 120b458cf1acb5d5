#include "pgo/cli/input_files.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "pgo/base/mapped_file.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxListDepth = 8;  // a list may name lists; more levels are a loop

// Tells files apart whatever their paths.
class KnownFiles {
 public:
  // False when the file at `path` was added before. Standard input and files that are not there
  // are known by their path.
  bool add(const std::string& path) {
    struct stat status{};
    if (path == "-" || ::stat(path.c_str(), &status) != 0) return paths_.insert(path).second;
    return ids_.insert({status.st_dev, status.st_ino}).second;
  }

 private:
  std::set<std::pair<dev_t, ino_t>> ids_;
  std::set<std::string> paths_;
};

// Two recordings are never the same, so equal files are copies. Nearly all differ in size; of the
// others hashes are compared, and bytes where these are equal.
void find_copies(std::vector<InputFile>& files) {
  std::map<uint64_t, std::vector<InputFile*>> by_size;
  for (InputFile& file : files) {
    struct stat status{};
    if (file.named_before || file.path == "-" || ::stat(file.path.c_str(), &status) != 0 ||
        !S_ISREG(status.st_mode) || status.st_size == 0)
      continue;
    by_size[static_cast<uint64_t>(status.st_size)].push_back(&file);
  }
  auto text_of = [](const MappedFile& file) {
    return std::string_view(reinterpret_cast<const char*>(file.bytes().data()),
                            file.bytes().size());
  };
  for (const auto& [size, same_size] : by_size) {
    std::map<size_t, const InputFile*> known;
    for (InputFile* file : same_size) {
      if (same_size.size() == 1) break;
      Result<MappedFile> mapped = MappedFile::open(file->path);
      if (!mapped) continue;  // whoever reads it says why
      auto [first, is_new] = known.emplace(std::hash<std::string_view>()(text_of(*mapped)), file);
      if (is_new) continue;
      Result<MappedFile> other = MappedFile::open(first->second->path);
      if (other && text_of(*other) == text_of(*mapped)) file->copy_of = first->second->path;
    }
  }
}

Result<void> add(const std::string& argument, int depth, std::vector<InputFile>& files);

// May it not be opened by whom this process runs as, or a directory not be looked into?
bool is_closed(const std::string& path) {
  std::error_code ignored;
  int mode = fs::is_directory(path, ignored) ? R_OK | X_OK : R_OK;
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) != 0 &&
         (errno == EACCES || errno == EPERM);
}

// What cannot be looked into counts as a file that cannot be opened: it is passed over aloud.
bool is_closed_directory(const fs::directory_entry& entry) {
  std::error_code ignored;
  return !entry.is_symlink(ignored) && entry.is_directory(ignored) && is_closed(entry.path());
}

Result<void> add_directory(const std::string& path, std::vector<InputFile>& files) {
  std::error_code error;
  std::vector<std::string> found;
  auto entries = fs::recursive_directory_iterator(path, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    std::error_code ignored;
    bool hidden = entries->path().filename().string().starts_with('.');
    bool closed = !hidden && is_closed_directory(*entries);
    if (hidden || closed) entries.disable_recursion_pending();
    if (closed || (!hidden && entries->is_regular_file(ignored)))
      found.push_back(entries->path().string());
  }
  if (error) return fail(ErrorKind::kIo, path + ": cannot list: " + error.message());
  if (found.empty()) return fail(ErrorKind::kInput, path + ": no file in this directory");
  std::sort(found.begin(), found.end());
  KnownFiles known;  // a link such as "latest" is no further recording
  for (std::string& file : found)
    if (known.add(file)) files.push_back({std::move(file), true});
  return ok();
}

Result<void> add_list(const std::string& path, int depth, std::vector<InputFile>& files) {
  std::ifstream list(path);
  if (!list) return fail(ErrorKind::kIo, path + ": cannot open this list of inputs");
  if (depth == kMaxListDepth)
    return fail(ErrorKind::kInput, path + ": lists name each other more than 8 deep");
  for (std::string line; std::getline(list, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    PGO_CHECK(add(line, depth + 1, files));
  }
  if (list.bad()) return fail(ErrorKind::kIo, path + ": cannot read this list of inputs");
  return ok();
}

Result<void> add_glob(const std::string& pattern, std::vector<InputFile>& files) {
  glob_t matches{};
  int status = ::glob(pattern.c_str(), GLOB_TILDE, nullptr, &matches);
  std::vector<std::string> paths(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  ::globfree(&matches);
  if (status != 0 || paths.empty())
    return fail(ErrorKind::kInput, pattern + ": no file matches this pattern");
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) PGO_CHECK(add(path, kMaxListDepth, files));
  return ok();
}

Result<void> add(const std::string& argument, int depth, std::vector<InputFile>& files) {
  std::error_code ignored;
  if (argument.starts_with('@')) return add_list(argument.substr(1), depth, files);
  if (fs::is_directory(argument, ignored)) return add_directory(argument, files);
  bool exists = argument == "-" || fs::exists(argument, ignored);
  if (!exists && argument.find_first_of("*?[") != std::string::npos)
    return add_glob(argument, files);
  files.push_back({argument, false});
  return ok();
}

}  // namespace

Result<std::vector<InputFile>> find_input_files(const std::vector<std::string>& arguments) {
  std::vector<InputFile> files;
  for (const std::string& argument : arguments) PGO_CHECK(add(argument, 0, files));
  if (files.empty()) return fail(ErrorKind::kUsage, "the list of inputs is empty");
  std::stable_sort(files.begin(), files.end(),
                   [](const InputFile& a, const InputFile& b) { return a.path < b.path; });
  KnownFiles known;
  for (InputFile& file : files) file.named_before = !known.add(file.path);
  find_copies(files);
  return files;
}

void warn_if_repeated(const InputFile& file, Diagnostics& diagnostics) {
  if (file.named_before)
    diagnostics.warn("named-twice", file.path + ": is named twice and counts twice");
  else if (!file.copy_of.empty())
    diagnostics.warn(
        "copy", file.path + ": is a copy of " + file.copy_of + ", and both count; leave one out");
}

bool pass_over(const InputFile& file, const Error& error, Diagnostics& diagnostics) {
  if (!file.from_directory) return false;
  const char* kind = error.kind == ErrorKind::kInput                        ? kDamagedInput
                     : error.kind == ErrorKind::kEmpty                      ? kUnsupportedInput
                     : error.kind == ErrorKind::kIo && is_closed(file.path) ? kUnreadableInput
                                                                            : nullptr;
  if (kind == nullptr) return false;
  diagnostics.warn(kind, "passed over: " + error.message);
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
