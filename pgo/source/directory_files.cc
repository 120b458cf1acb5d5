#include "pgo/source/directory_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "pgo/source/known_files.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// What cannot be looked into counts as a file that cannot be opened: it is passed over aloud.
bool is_closed_directory(const fs::directory_entry& entry) {
  std::error_code ignored;
  return !entry.is_symlink(ignored) && entry.is_directory(ignored) && is_closed(entry.path());
}

}  // namespace

bool is_closed(const std::string& path) {
  std::error_code ignored;
  int mode = fs::is_directory(path, ignored) ? R_OK | X_OK : R_OK;
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) != 0 &&
         (errno == EACCES || errno == EPERM);
}

Result<std::vector<std::string>> files_below(const std::string& path, size_t limit) {
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
    if (found.size() > limit) break;
  }
  if (error) return fail(ErrorKind::kIo, path + ": cannot list: " + error.message());
  std::sort(found.begin(), found.end());
  KnownFiles known;
  std::erase_if(found, [&](const std::string& file) { return !known.add(file); });
  return found;
}

}  // namespace pgo
