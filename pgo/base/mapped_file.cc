#include "pgo/base/mapped_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

// Mapping small files takes longer than reading them.
constexpr size_t kReadRather = 1 << 16;

// A descriptor that was opened without waiting waits from here on.
void make_blocking(int fd) {
  int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0) ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

}  // namespace

// Reads what is not mapped. The memory grows by realloc(), which neither copies large blocks nor
// touches what is not read yet.
class MappedFile::StreamReader {
 public:
  StreamReader(int fd, const std::string& path, const StreamOptions& options)
      : fd_(fd), path_(path), options_(options) {}

  // Waits until a program has opened a named pipe for writing. Nothing but a read can tell: without
  // a writer it finds the end, and with one that has not written yet it would have to wait.
  Result<void> wait_for_writer() {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + options_.wait_for_writer;
    constexpr int kStep = 20;  // milliseconds
    for (;;) {
      PGO_CHECK(make_room(1));
      ssize_t n = ::read(fd_, contents_.get() + size_, 1);
      if (n > 0) size_ += static_cast<size_t>(n);
      bool has_writer = n > 0 || (n < 0 && errno == EAGAIN);
      if (n < 0 && !has_writer && errno != EINTR) return io_failure(path_, "cannot read");
      pollfd events{fd_, POLLIN, 0};
      // One that has closed it again was there as well.
      if (has_writer || (::poll(&events, 1, 0) > 0 && events.revents != 0)) return ok();
      if (Clock::now() >= deadline)
        return fail(ErrorKind::kIo,
                    path_ + ": is a named pipe, and no program opened it for writing within " +
                        std::to_string(options_.wait_for_writer.count() / 1000) + " seconds");
      ::poll(&events, 1, kStep);
    }
  }

  // `expected`: the size of a file, which it may no longer have.
  Result<void> read_to_end(size_t expected) {
    PGO_CHECK(make_room(expected + 1));
    bool is_wanted = false;
    for (;;) {
      if (size_ == capacity_) PGO_CHECK(make_room(capacity_ + (1u << 17)));
      ssize_t n = ::read(fd_, contents_.get() + size_, capacity_ - size_);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return io_failure(path_, "cannot read");
      if (n == 0) return ok();
      size_ += static_cast<size_t>(n);
      if (size_ > options_.limit)
        return fail(ErrorKind::kInput,
                    path_ + ": is not a regular file, and has more than the " +
                        std::to_string(options_.limit) +
                        " bytes that are held in memory; write it to a file first");
      if (is_wanted || size_ < kKindBytes) continue;
      is_wanted = options_.wants == nullptr || options_.wants({contents_.get(), kKindBytes});
      if (is_wanted) continue;
      size_ = kKindBytes;
      return ok();
    }
  }

  Bytes bytes() const { return {contents_.get(), size_}; }
  Contents take() { return std::move(contents_); }

 private:
  Result<void> make_room(size_t bytes) {
    size_t size = std::max(bytes, 2 * capacity_);
    if (capacity_ >= bytes && contents_) return ok();
    auto* larger = static_cast<uint8_t*>(std::realloc(contents_.get(), size));
    if (larger == nullptr) return fail(ErrorKind::kIo, path_ + ": no memory to read it");
    static_cast<void>(contents_.release());
    contents_.reset(larger);
    capacity_ = size;
    return ok();
  }

  int fd_;
  const std::string& path_;
  const StreamOptions& options_;
  Contents contents_;
  size_t size_ = 0, capacity_ = 0;
};

Result<MappedFile> MappedFile::open(const std::string& path, const StreamOptions& options) {
  MappedFile file;
  file.path_ = path;
  // Else opening a named pipe would wait for its writer.
  const bool is_stdin = path == "-";
  UniqueFd descriptor(is_stdin ? STDIN_FILENO
                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.fd < 0) return io_failure(path, "cannot open");
  struct stat status{};
  if (::fstat(descriptor.fd, &status) != 0) return io_failure(path, "cannot stat");
  if (S_ISDIR(status.st_mode)) return fail(ErrorKind::kIo, path + ": is a directory");
  size_t size = static_cast<size_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || size <= kReadRather) {
    StreamReader reader(descriptor.fd, path, options);
    if (S_ISFIFO(status.st_mode) && !is_stdin) PGO_CHECK(reader.wait_for_writer());
    if (!is_stdin) make_blocking(descriptor.fd);
    PGO_CHECK(reader.read_to_end(S_ISREG(status.st_mode) ? size : 0));
    file.bytes_ = reader.bytes();
    file.contents_ = reader.take();
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
