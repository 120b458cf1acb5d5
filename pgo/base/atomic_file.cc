#include "pgo/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "pgo/base/descriptor.h"

namespace pgo {
namespace {

Result<void> write_all(int fd, std::string_view contents, const std::string& path) {
  while (!contents.empty()) {
    ssize_t n = ::write(fd, contents.data(), contents.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_failure(path, "cannot write");
    contents.remove_prefix(static_cast<size_t>(n));
  }
  return ok();
}

std::string resolve_links(const std::string& path) {
  std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

// Opens a new file next to `target`, with the permissions that the umask leaves, and sets its name;
// -1 when that is impossible. (mkstemp would make it private, and the umask cannot be asked for
// without changing it for every thread.)
int create_beside(const std::string& target, std::string& name) {
  for (unsigned attempt = 0; attempt < 1000; attempt++) {
    name = target + ".tmp" + std::to_string(::getpid()) + "." + std::to_string(attempt);
    int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

}  // namespace

Result<AtomicFile> AtomicFile::write(const std::string& path, std::string_view contents) {
  AtomicFile file;
  file.path_ = path;
  struct stat status{};
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (path == "-" || (exists && !S_ISREG(status.st_mode))) {
    file.contents_ = contents;
    return file;
  }
  file.target_ = exists ? resolve_links(path) : path;
  std::string temporary;
  Descriptor out(create_beside(file.target_, temporary));
  if (out.fd < 0) return io_failure(path, "cannot create a file beside it");
  file.temporary_ = temporary;
  PGO_CHECK(write_all(out.fd, contents, path));
  if ((exists && ::fchmod(out.fd, status.st_mode & 07777) != 0) || ::fsync(out.fd) != 0)
    return io_failure(path, "cannot write");
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
  std::string target = exists ? resolve_links(path) : path;
  size_t slash = target.rfind('/');
  std::string directory = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    return io_failure(path, "cannot create a file beside it");
  return ok();
}

Result<void> AtomicFile::commit() {
  if (path_ == "-") return write_all(STDOUT_FILENO, contents_, "standard output");
  if (temporary_.empty()) {
    Descriptor out(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    if (out.fd < 0) return io_failure(path_, "cannot open for writing");
    return write_all(out.fd, contents_, path_);
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return io_failure(path_, "cannot write");
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
