#include "pgo/source/input_files.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

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
  return files;
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
