#include "pgo/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

// Opens a new file next to `target`, with what the umask leaves of the permissions, and sets its
// name; -1 when that is impossible. (mkstemp would make it private, and the umask cannot be asked
// for without changing it for every thread.)
int create_beside(const std::string& target, mode_t permissions, std::string& name) {
  for (unsigned attempt = 0; attempt < 1000; attempt++) {
    name = target + ".tmp" + std::to_string(::getpid()) + "." + std::to_string(attempt);
    int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

}  // namespace

Result<std::string> resolve_links(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as many as the kernel follows
  std::filesystem::path name = path;
  std::error_code reason;
  for (int links = 0; std::filesystem::is_symlink(name, reason); links++) {
    if (links == kMaxLinks) {
      errno = ELOOP;
      return io_failure(path, "cannot write");
    }
    // A relative one counts from its own directory; an absolute one stays as it is.
    name = name.parent_path() / std::filesystem::read_symlink(name, reason);
    if (reason) return fail(ErrorKind::kIo, path + ": cannot write: " + reason.message());
  }
  return name.string();
}

Result<void> replace_file(const std::string& complete, const std::string& target) {
  struct stat status{};
  bool exists = ::stat(target.c_str(), &status) == 0;
  if ((exists && ::chmod(complete.c_str(), status.st_mode & 07777) != 0) ||
      ::rename(complete.c_str(), target.c_str()) != 0)
    return io_failure(target, "cannot write");
  return ok();
}

Result<AtomicFile> AtomicFile::write(const std::string& path, std::string_view contents,
                                     std::optional<mode_t> permissions) {
  AtomicFile file;
  file.path_ = path;
  file.permissions_ = permissions;
  struct stat status{};
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (path == "-" || (exists && !S_ISREG(status.st_mode))) {
    file.contents_ = contents;
    return file;
  }
  PGO_TRY(file.target_, resolve_links(path));
  std::string temporary;
  // Never wider open than what it is going to replace.
  UniqueFd out(create_beside(file.target_, exists ? status.st_mode & 0666 : 0666, temporary));
  if (out.fd < 0) return creation_failure(path, file.target_);
  file.temporary_ = temporary;
  PGO_CHECK(write_all(out.fd, contents, path));
  if (permissions && ::fchmod(out.fd, *permissions & 07777) != 0)
    return io_failure(path, "cannot set the permissions of a file beside it");
  if (::fsync(out.fd) != 0) return io_failure(path, "cannot write");
  return file;
}

Result<void> AtomicFile::check_writable(const std::string& path) {
  if (path == "-") return ok();
  struct stat status{};
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return io_failure(path, "cannot open for writing");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    if (::access(path.c_str(), W_OK) != 0) return io_failure(path, "cannot open for writing");
    return ok();
  }
  PGO_TRY(std::string target, resolve_links(path));
  size_t slash = target.rfind('/');
  std::string directory = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  if (::access(directory.c_str(), W_OK | X_OK) != 0) return creation_failure(path, target);
  return ok();
}

Result<void> AtomicFile::commit() {
  if (path_ == "-") return write_all(STDOUT_FILENO, contents_, "standard output");
  if (temporary_.empty()) {
    UniqueFd out(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    if (out.fd < 0) return io_failure(path_, "cannot open for writing");
    return write_all(out.fd, contents_, path_);
  }
  if (!permissions_)
    PGO_CHECK(replace_file(temporary_, target_));
  else if (::rename(temporary_.c_str(), target_.c_str()) != 0)
    return io_failure(path_, "cannot write");
  temporary_.clear();
  return ok();
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> write_file_atomically(const std::string& path, std::string_view contents) {
  PGO_TRY(AtomicFile file, AtomicFile::write(path, contents));
  return file.commit();
}

}  // namespace pgo
