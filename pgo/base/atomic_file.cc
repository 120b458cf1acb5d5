#include "pgo/base/atomic_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "pgo/base/file_time.h"
#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

std::string prefix_beside(const std::string& target) { return target + ".tmp"; }

// Opens a new file whose name begins with `prefix`, with what the umask leaves of the permissions,
// and sets its name; -1 when that is impossible. (mkstemp would make it private, and the umask
// cannot be asked for without changing it for every thread.)
int create_new(const std::string& prefix, mode_t permissions, std::string& name) {
  for (unsigned attempt = 0; attempt < 1000; attempt++) {
    name = prefix + std::to_string(::getpid()) + "." + std::to_string(attempt);
    int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

// Of the set-ID bits of `original`, those that a file with the owner and group of `status` may
// have.
mode_t set_id_bits(const struct stat& original, const struct stat& status) {
  mode_t bits = 0;
  if (original.st_uid == status.st_uid) bits |= original.st_mode & S_ISUID;
  if (original.st_gid == status.st_gid) bits |= original.st_mode & S_ISGID;
  return bits;
}

// As `ls -n` and chown have it.
std::string owner_text(const struct stat& status) {
  return std::to_string(status.st_uid) + ":" + std::to_string(status.st_gid);
}

std::string octal_text(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", mode);
  return text;
}

// A file system that shows data of the kernel. Root has all permissions there, and can create no
// file.
bool is_of_kernel(const std::string& directory) {
  struct statfs status{};
  if (::statfs(directory.c_str(), &status) != 0) return false;
  return status.f_type == PROC_SUPER_MAGIC || status.f_type == SYSFS_MAGIC;
}

// Executable for whoever may read it.
mode_t with_execution(mode_t mode) { return mode | ((mode & 0444) >> 2); }

}  // namespace

Result<std::string> take_over_owner(const struct stat& replaced, const std::string& file,
                                    const std::string& path) {
  std::string reason;
  if (::chown(file.c_str(), replaced.st_uid, replaced.st_gid) != 0) {
    reason = std::strerror(errno);
    // The group alone can be passed on by its members.
    (void)!::chown(file.c_str(), static_cast<uid_t>(-1), replaced.st_gid);
  }
  struct stat now{};
  if (::stat(file.c_str(), &now) != 0) return io_failure(path, "cannot write");
  const mode_t wanted = replaced.st_mode & 07777;
  mode_t mode = (wanted & 01777) | set_id_bits(replaced, now);
  // Another group gets no more than everybody has.
  if (now.st_gid != replaced.st_gid) mode &= ~mode_t{070} | ((mode & 07) << 3);
  if (::chmod(file.c_str(), mode) != 0) return io_failure(path, "cannot set its permissions");
  if (now.st_uid == replaced.st_uid && now.st_gid == replaced.st_gid) return std::string();
  return path + ": cannot keep owner and group " + owner_text(replaced) + " (" + reason +
         "): it gets " + owner_text(now) +
         (mode == wanted
              ? ""
              : ", and permissions " + octal_text(mode) + " instead of " + octal_text(wanted));
}

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

Result<std::string> replace_file(const std::string& complete, const std::string& target) {
  struct stat replaced{};
  std::string warning;
  if (::stat(target.c_str(), &replaced) == 0) {
    PGO_TRY(warning, take_over_owner(replaced, complete, target));
  }
  if (::rename(complete.c_str(), target.c_str()) != 0) return io_failure(target, "cannot write");
  return warning;
}

Result<AtomicFile> AtomicFile::write(const std::string& path, std::string_view contents) {
  return write_new(path, contents, nullptr);
}

Result<AtomicFile> AtomicFile::write_program(const std::string& path, std::string_view contents,
                                             const struct stat& original) {
  return write_new(path, contents, &original);
}

Result<AtomicFile> AtomicFile::write_new(const std::string& path, std::string_view contents,
                                         const struct stat* original) {
  AtomicFile file;
  file.path_ = path;
  struct stat replaced{};
  bool exists = ::stat(path.c_str(), &replaced) == 0;
  if (path == "-" || (exists && !S_ISREG(replaced.st_mode))) {
    file.contents_ = contents;
    return file;
  }
  PGO_TRY(file.target_, resolve_links(path));
  std::string temporary;
  // What replaces another is private until it has its owner.
  mode_t permissions = exists ? 0600 : original == nullptr ? 0666 : original->st_mode & 0777;
  UniqueFd out(create_new(prefix_beside(file.target_), permissions, temporary));
  if (out.fd < 0) return creation_failure(path, file.target_);
  file.temporary_ = temporary;
  PGO_CHECK(write_all(out.fd, contents, path));
  if (exists) {
    if (original != nullptr) replaced.st_mode = with_execution(replaced.st_mode);
    PGO_TRY(file.warning_, take_over_owner(replaced, temporary, path));
  } else if (original != nullptr) {
    struct stat now{};
    if (::fstat(out.fd, &now) != 0) return io_failure(path, "cannot write");
    const mode_t set_ids = set_id_bits(*original, now);
    if (set_ids != 0 && ::fchmod(out.fd, (now.st_mode & 0777) | set_ids) != 0)
      return io_failure(path, "cannot set its permissions");
  }
  if (::fsync(out.fd) != 0) return io_failure(path, "cannot write");
  return file;
}

Result<AtomicFile> AtomicFile::overwrite(const std::string& path, std::string_view contents,
                                         const OverwriteOptions& options) {
  AtomicFile file;
  file.path_ = file.target_ = path;
  const std::string prefix =
      options.temporary_prefix.empty() ? prefix_beside(path) : options.temporary_prefix;
  std::string temporary;
  const UniqueFd out(create_new(prefix, options.permissions, temporary));
  if (out.fd < 0) return creation_failure(path, prefix);
  file.temporary_ = temporary;
  PGO_CHECK(write_all(out.fd, contents, path));
  if (options.time) PGO_CHECK(set_time_of_change(temporary, *options.time));
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
  if (!exists && is_of_kernel(directory)) {
    errno = ENOENT;  // as open() says there
    return creation_failure(path, target);
  }
  return ok();
}

Result<void> AtomicFile::commit() {
  if (path_ == "-") return write_all(STDOUT_FILENO, contents_, "standard output");
  if (temporary_.empty()) {
    UniqueFd out(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
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
