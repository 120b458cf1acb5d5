#include "pgo/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

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

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  MappedFile file;
  file.path_ = path;
  Descriptor descriptor(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.fd < 0) return io_failure(path, "cannot open");
  struct stat status{};
  if (::fstat(descriptor.fd, &status) != 0) return io_failure(path, "cannot stat");
  if (S_ISDIR(status.st_mode)) return fail(ErrorKind::kIo, path + ": is a directory");
  if (!S_ISREG(status.st_mode)) {
    PGO_TRY(file.contents_, read_to_end(descriptor.fd, path));
    file.bytes_ = file.contents_;
    return file;
  }
  size_t size = static_cast<size_t>(status.st_size);
  if (size == 0) return file;
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
  // A device or a pipe (/dev/stdout, /dev/null) cannot be renamed over.
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (out.fd < 0) return io_failure(path, "cannot open for writing");
    return write_all(out.fd, contents, path);
  }
  std::string temporary = path + ".XXXXXX";
  Descriptor out(::mkostemp(temporary.data(), O_CLOEXEC));
  if (out.fd < 0) return io_failure(path, "cannot create a file beside it");
  mode_t mask = ::umask(0);
  ::umask(mask);
  Result<void> written = write_all(out.fd, contents, path);
  if (written && (::fchmod(out.fd, 0666 & ~mask) != 0 || ::fsync(out.fd) != 0 ||
                  ::rename(temporary.c_str(), path.c_str()) != 0)) {
    written = io_failure(path, "cannot write");
  }
  if (!written) ::unlink(temporary.c_str());
  return written;
}

}  // namespace pgo
