#include "pgo/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

// Mapping small files takes longer than reading them.
constexpr size_t kReadRather = 1 << 16;

// `expected`: the size of a file, which it may no longer have.
Result<std::vector<uint8_t>> read_to_end(int fd, const std::string& path, size_t expected) {
  std::vector<uint8_t> contents(expected + 1);
  size_t size = 0;
  for (;;) {
    if (size == contents.size()) contents.resize(contents.size() * 2 + (1u << 17));
    ssize_t n = ::read(fd, contents.data() + size, contents.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_failure(path, "cannot read");
    if (n == 0) break;
    size += static_cast<size_t>(n);
  }
  contents.resize(size);
  return contents;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  MappedFile file;
  file.path_ = path;
  UniqueFd descriptor(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.fd < 0) return io_failure(path, "cannot open");
  struct stat status{};
  if (::fstat(descriptor.fd, &status) != 0) return io_failure(path, "cannot stat");
  if (S_ISDIR(status.st_mode)) return fail(ErrorKind::kIo, path + ": is a directory");
  size_t size = static_cast<size_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || size <= kReadRather) {
    PGO_TRY(file.contents_, read_to_end(descriptor.fd, path, size));
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

}  // namespace pgo
