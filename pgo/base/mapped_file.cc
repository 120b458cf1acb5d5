#include "pgo/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace pgo {
namespace {

Failure io_failure(const std::string& path, const char* what) {
  return fail(ErrorKind::kIo, path + ": " + what + ": " + std::strerror(errno));
}

// Closes its descriptor when it goes out of scope.
struct Descriptor {
  int fd = -1;
  explicit Descriptor(int opened) : fd(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd > STDERR_FILENO) ::close(fd);
  }
};

Result<std::vector<uint8_t>> read_to_end(int fd, const std::string& path) {
  std::vector<uint8_t> contents;
  size_t size = 0;
  for (;;) {
    if (contents.size() - size < (1u << 16)) contents.resize(contents.size() * 2 + (1u << 17));
    ssize_t n = ::read(fd, contents.data() + size, contents.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_failure(path, "cannot read");
    if (n == 0) break;
    size += static_cast<size_t>(n);
  }
  contents.resize(size);
  return contents;
}

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

Result<MappedFile> MappedFile::open(const std::string& path) {
  MappedFile file;
  file.path_ = path;
  Descriptor descriptor(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.fd < 0) return io_failure(path, "cannot open");
  struct stat status{};
  if (::fstat(descriptor.fd, &status) != 0) return io_failure(path, "cannot stat");
  if (S_ISDIR(status.st_mode)) return fail(ErrorKind::kIo, path + ": is a directory");
  size_t size = static_cast<size_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || size == 0) {
    PGO_TRY(file.contents_, read_to_end(descriptor.fd, path));
    file.bytes_ = file.contents_;
    return file;
  }
  void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.fd, 0);
  if (mapping == MAP_FAILED) return io_failure(path, "cannot map");
  file.mapping_ = mapping;
  file.bytes_ = Bytes(static_cast<const uint8_t*>(mapping), size);
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapping_, other.mapping_);
  std::swap(contents_, other.contents_);
  return *this;
}

MappedFile::~MappedFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, bytes_.size());
}

Result<void> write_file_atomically(const std::string& path, std::string_view contents) {
  if (path == "-") return write_all(STDOUT_FILENO, contents, "standard output");
  struct stat status{};
  bool exists = ::stat(path.c_str(), &status) == 0;
  // A device or a pipe (/dev/stdout, /dev/null) cannot be renamed over.
  if (exists && !S_ISREG(status.st_mode)) {
    Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (out.fd < 0) return io_failure(path, "cannot open for writing");
    return write_all(out.fd, contents, path);
  }
  std::string target = exists ? resolve_links(path) : path;
  std::string temporary;
  Descriptor out(create_beside(target, temporary));
  if (out.fd < 0) return io_failure(path, "cannot create a file beside it");
  Result<void> written = write_all(out.fd, contents, path);
  if (written && ((exists && ::fchmod(out.fd, status.st_mode & 07777) != 0) ||
                  ::fsync(out.fd) != 0 || ::rename(temporary.c_str(), target.c_str()) != 0)) {
    written = io_failure(path, "cannot write");
  }
  if (!written) ::unlink(temporary.c_str());
  return written;
}

}  // namespace pgo
