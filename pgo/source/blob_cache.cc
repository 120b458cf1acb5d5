#include "pgo/source/blob_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAlgorithm = "sha256:";
constexpr std::chrono::seconds kRecently = std::chrono::hours(1);
constexpr std::chrono::seconds kPinned = std::chrono::hours(24) * 90;
constexpr size_t kMaxEntry = 128;  // bytes of a file in keys/

std::string blob_path(const std::string& directory, std::string_view hex) {
  return blob_directory(directory) + "/" + std::string(hex);
}

std::string key_path(const std::string& directory, std::string_view key) {
  return directory + "/keys/" + Sha256::hex_of(as_bytes(key));
}

bool may(const std::string& path, int mode) {
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

// Of another user, say, or on a read-only medium.
bool is_read_only(const std::string& directory) {
  const std::string blobs = blob_directory(directory);
  return may(blobs, R_OK | X_OK) && !may(blobs, W_OK);
}

bool is_hex_digest(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_older(const timespec& a, const timespec& b) {
  return std::pair(a.tv_sec, a.tv_nsec) < std::pair(b.tv_sec, b.tv_nsec);
}

// Between processes: who uses a blob shares the lock while it marks that; who removes blobs has it
// alone. Held as long as the object lives.
class CacheLock {
 public:
  CacheLock(const std::string& directory, int operation)
      : file_(::open((directory + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    while (file_.fd >= 0 && ::flock(file_.fd, operation) != 0 && errno == EINTR) {
    }
  }

 private:
  UniqueFd file_;
};

// A new file in `directory`, locked by whoever made it: the lock goes with the process, so a file
// that can be locked belongs to nobody. Returns its descriptor, or -1 with errno.
int create_locked(const std::string& directory, std::string& path) {
  for (int attempt = 0; attempt < 100; attempt++) {
    path = directory + "/XXXXXX";
    const int fd = ::mkostemp(path.data(), O_CLOEXEC);
    if (fd < 0) return -1;
    struct stat status{};
    // Between the two calls another process may have taken it for one of nobody.
    if (::flock(fd, LOCK_EX) == 0 && ::fstat(fd, &status) == 0 && status.st_nlink > 0) return fd;
    ::unlink(path.c_str());
    ::close(fd);
  }
  errno = EAGAIN;
  return -1;
}

// Removes the files of nobody from `directory`. Returns when the oldest of the others was changed.
std::optional<timespec> remove_abandoned(const std::string& directory) {
  std::optional<timespec> oldest;
  std::error_code ignored;
  for (auto entry = fs::directory_iterator(directory, ignored);
       !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    UniqueFd file(::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat status{};
    if (file.fd < 0 || ::fstat(file.fd, &status) != 0) continue;
    if (::flock(file.fd, LOCK_EX | LOCK_NB) == 0)
      ::unlink(entry->path().c_str());
    else if (!oldest || is_older(status.st_mtim, *oldest))
      oldest = status.st_mtim;
  }
  return oldest;
}

Failure with_other_cache(Failure failure) {
  failure.error.advice =
      std::string("name another directory with \xFF{cache} or $") + kCacheVariable;
  return failure;
}

struct KeyEntry {
  std::string hex;
  uint64_t size = 0;
};

// Nothing for a file that is none of keys/.
std::optional<KeyEntry> read_entry(const std::string& path) {
  UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[kMaxEntry];
  const ssize_t length = file.fd < 0 ? -1 : ::read(file.fd, text, sizeof text);
  if (length <= 0) return std::nullopt;
  std::string_view rest(text, static_cast<size_t>(length));
  if (!rest.starts_with(kAlgorithm)) return std::nullopt;
  rest.remove_prefix(kAlgorithm.size());
  KeyEntry entry{std::string(rest.substr(0, 64)), 0};
  if (!is_hex_digest(entry.hex) || rest.size() < 66 || rest[64] != ' ') return std::nullopt;
  const char* end = rest.data() + rest.size();
  auto [after, error] = std::from_chars(rest.data() + 65, end, entry.size);
  if (error != std::errc() || after + 1 != end || *after != '\n') return std::nullopt;
  return entry;
}

Result<void> write_entry(const std::string& directory, std::string_view key, const Blob& blob) {
  std::string temporary;
  UniqueFd file(create_locked(directory + "/tmp", temporary));
  if (file.fd < 0) return io_failure(directory, "cannot create a file in this cache");
  Result<void> written =
      write_all(file.fd, blob.digest + " " + std::to_string(blob.size) + "\n", temporary);
  if (written && ::rename(temporary.c_str(), key_path(directory, key).c_str()) != 0)
    written = io_failure(directory, "cannot add to this cache");
  if (!written) ::unlink(temporary.c_str());
  return written;
}

// Marks a blob of this size as used now, where that is allowed. False when there is none.
bool use(const std::string& directory, const std::string& path, uint64_t size) {
  CacheLock lock(directory, LOCK_SH);
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         static_cast<uint64_t>(status.st_size) == size &&
         (::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) == 0 ||
          errno != ENOENT);
}

bool has_digest(const std::string& path, std::string_view hex) {
  Result<MappedFile> file = MappedFile::open(path);
  return file && Sha256::hex_of(file->bytes()) == hex;
}

timespec time_before(std::chrono::seconds age) {
  const auto time = std::chrono::system_clock::now().time_since_epoch() - age;
  return {std::chrono::duration_cast<std::chrono::seconds>(time).count(), 0};
}

// Removes pins that were not renewed for a long time: no lock file that is in use names the blob.
void remove_old_pins(const std::string& directory) {
  const timespec oldest = time_before(kPinned);
  const auto is_old = [&](const std::string& path) {
    struct stat status{};
    return ::lstat(path.c_str(), &status) == 0 && is_older(status.st_mtim, oldest);
  };
  std::error_code ignored;
  for (auto entry = fs::directory_iterator(directory + "/pinned", ignored);
       !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    if (!is_old(entry->path())) continue;
    const CacheLock lock(directory, LOCK_EX);  // pin() may have renewed it
    if (is_old(entry->path())) ::unlink(entry->path().c_str());
  }
}

struct StoredBlob {
  std::string hex;
  uint64_t size = 0;
  timespec used{};
};

std::vector<StoredBlob> list_blobs(const std::string& directory) {
  std::vector<StoredBlob> blobs;
  std::error_code ignored;
  for (auto entry = fs::directory_iterator(blob_directory(directory), ignored);
       !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    struct stat status{};
    std::string name = entry->path().filename().string();
    if (is_hex_digest(name) && ::lstat(entry->path().c_str(), &status) == 0 &&
        S_ISREG(status.st_mode))
      blobs.push_back({std::move(name), static_cast<uint64_t>(status.st_size), status.st_mtim});
  }
  return blobs;
}

uint64_t total_size(const std::vector<StoredBlob>& blobs) {
  uint64_t total = 0;
  for (const StoredBlob& blob : blobs) total += blob.size;
  return total;
}

// False when it was used meanwhile, or cannot be removed.
bool remove_blob(const std::string& directory, const StoredBlob& blob) {
  CacheLock lock(directory, LOCK_EX);
  const std::string path = blob_path(directory, blob.hex);
  struct stat now{};
  if (::lstat(path.c_str(), &now) != 0) return errno == ENOENT;
  return !is_older(blob.used, now.st_mtim) && ::unlink(path.c_str()) == 0;
}

// Those that were used longest ago, until the others have no more than `max_bytes`.
void remove_oldest(const std::string& directory, std::vector<StoredBlob> blobs,
                   uint64_t max_bytes) {
  uint64_t total = total_size(blobs);
  std::sort(blobs.begin(), blobs.end(), [](const StoredBlob& a, const StoredBlob& b) {
    if (is_older(a.used, b.used) || is_older(b.used, a.used)) return is_older(a.used, b.used);
    return a.hex < b.hex;
  });
  timespec recent = time_before(kRecently);
  if (const std::optional<timespec> leased = remove_abandoned(directory + "/leases");
      leased && is_older(*leased, recent))
    recent = *leased;
  for (const StoredBlob& blob : blobs) {
    if (total <= max_bytes || !is_older(blob.used, recent)) break;
    if (::access((directory + "/pinned/" + blob.hex).c_str(), F_OK) == 0) continue;
    if (remove_blob(directory, blob)) total -= blob.size;
  }
}

void remove_dangling_keys(const std::string& directory) {
  std::error_code ignored;
  for (auto entry = fs::directory_iterator(directory + "/keys", ignored);
       !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    std::optional<KeyEntry> key = read_entry(entry->path());
    if (!key || ::access(blob_path(directory, key->hex).c_str(), F_OK) != 0)
      ::unlink(entry->path().c_str());
  }
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string blob_directory(const std::string& directory) { return directory + "/blobs/sha256"; }

Result<std::string> default_cache_directory() {
  if (std::string own = variable(kCacheVariable); !own.empty()) {
    if (own.starts_with('/')) return own;
    return fail(ErrorKind::kUsage,
                std::string(kCacheVariable) + " is '" + own + "', which is a relative path",
                "set it to an absolute one, so that each program finds the same cache");
  }
  if (std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/'))
    return cache + "/prodpgo";
  if (std::string home = variable("HOME"); !home.empty()) return home + "/.cache/prodpgo";
  return fail(ErrorKind::kUsage,
              "there is no place for the cache: " + std::string(kCacheVariable) +
                  ", XDG_CACHE_HOME and HOME are not set",
              "set " + std::string(kCacheVariable) + " to a directory");
}

struct BlobWriter::State {
  std::string directory, path;
  UniqueFd file{-1};
  Sha256 hash;
  uint64_t size = 0;

  State(std::string cache, std::string temporary, int fd)
      : directory(std::move(cache)), path(std::move(temporary)), file(fd) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (!path.empty()) ::unlink(path.c_str());
  }
};

BlobWriter::BlobWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
BlobWriter::BlobWriter(BlobWriter&& other) noexcept = default;
BlobWriter& BlobWriter::operator=(BlobWriter&& other) noexcept = default;
BlobWriter::~BlobWriter() = default;

Result<void> BlobWriter::append(Bytes bytes) {
  PGO_CHECK(write_all(state_->file.fd, as_text(bytes), state_->path));
  state_->hash.add(bytes);
  state_->size += bytes.size();
  return ok();
}

Result<void> BlobWriter::restart() {
  if (::ftruncate(state_->file.fd, 0) != 0 || ::lseek(state_->file.fd, 0, SEEK_SET) != 0)
    return io_failure(state_->path, "cannot write");
  state_->hash = Sha256();
  state_->size = 0;
  return ok();
}

uint64_t BlobWriter::size() const { return state_->size; }

Result<Blob> BlobWriter::commit(std::string_view key) {
  const std::unique_ptr<State> state = std::move(state_);
  const std::string hex = state->hash.hex();
  Blob blob{blob_path(state->directory, hex), std::string(kAlgorithm) + hex, state->size};
  // The same contents under another key are one file. It is replaced all the same: the one that is
  // there may be damaged. Nobody shall write into it.
  const CacheLock lock(state->directory, LOCK_SH);  // trim() removes nothing meanwhile
  if (::fchmod(state->file.fd, 0400) != 0 || ::rename(state->path.c_str(), blob.path.c_str()) != 0)
    return io_failure(state->directory, "cannot add to this cache");
  state->path.clear();
  if (!key.empty()) PGO_CHECK(write_entry(state->directory, key, blob));
  return blob;
}

// A file whose time says since when a cache has been in use.
struct BlobCache::Lease {
  explicit Lease(const std::string& cache) : file(create_locked(cache + "/leases", path)) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (file.fd >= 0) ::unlink(path.c_str());
  }

  std::string path;
  UniqueFd file;
};

Result<BlobCache> BlobCache::open(const std::string& directory, const BlobCacheOptions& options) {
  std::string path = directory;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (is_read_only(path)) return BlobCache(std::move(path), options, nullptr);
  std::error_code error;
  if (fs::path parent = fs::path(path).parent_path(); !parent.empty())
    fs::create_directories(parent, error);
  if (error)
    return with_other_cache(fail(
        ErrorKind::kIo, path + ": cannot make the directory of the cache: " + error.message()));
  for (const char* part : {"", "/blobs", "/blobs/sha256", "/keys", "/leases", "/pinned", "/tmp"})
    if (::mkdir((path + part).c_str(), 0700) != 0 && errno != EEXIST)
      return with_other_cache(io_failure(path + part, "cannot make the directory of the cache"));
  for (const char* part : {"/blobs/sha256", "/keys", "/leases", "/tmp"})
    if (!may(path + part, R_OK | W_OK | X_OK))
      return with_other_cache(
          io_failure(path + part, "cannot write to the directory of the cache"));
  remove_abandoned(path + "/tmp");
  auto lease = std::make_unique<Lease>(path);
  if (lease->file.fd < 0) return io_failure(path, "cannot create a file in this cache");
  return BlobCache(std::move(path), options, std::move(lease));
}

BlobCache::BlobCache(std::string directory, const BlobCacheOptions& options,
                     std::unique_ptr<Lease> lease)
    : directory_(std::move(directory)), options_(options), lease_(std::move(lease)) {}
BlobCache::BlobCache(BlobCache&& other) noexcept = default;
BlobCache& BlobCache::operator=(BlobCache&& other) noexcept = default;
BlobCache::~BlobCache() = default;

std::optional<Blob> BlobCache::find(std::string_view key) const {
  std::optional<KeyEntry> entry = read_entry(key_path(directory_, key));
  if (!entry) return std::nullopt;
  return find_digest(std::string(kAlgorithm) + entry->hex, entry->size);
}

std::optional<Blob> BlobCache::find_digest(std::string_view digest, uint64_t size) const {
  if (!is_sha256_digest(digest)) return std::nullopt;
  const std::string_view hex = digest.substr(kAlgorithm.size());
  Blob blob{blob_path(directory_, hex), std::string(digest), size};
  if (!use(directory_, blob.path, blob.size) || !has_digest(blob.path, hex)) return std::nullopt;
  return blob;
}

std::optional<std::string> BlobCache::find_damaged(std::string_view digest, uint64_t size) const {
  if (!is_sha256_digest(digest) || find_digest(digest, size)) return std::nullopt;
  std::string path = blob_path(directory_, digest.substr(kAlgorithm.size()));
  if (::access(path.c_str(), F_OK) != 0) return std::nullopt;
  return path;
}

Result<void> BlobCache::pin(std::string_view digest) const {
  if (!is_sha256_digest(digest))
    return fail(ErrorKind::kInput, directory_ + ": cannot pin something that is not a digest");
  if (!lease_) return ok();  // whoever fills the cache pins
  const std::string path = directory_ + "/pinned/" + std::string(digest.substr(kAlgorithm.size()));
  const CacheLock lock(directory_, LOCK_SH);  // trim() removes no pin meanwhile
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (file.fd < 0 || ::futimens(file.fd, nullptr) != 0)
    return io_failure(path, "cannot pin in this cache");
  return ok();
}

Result<BlobWriter> BlobCache::write() const {
  std::string path;
  const int fd = create_locked(directory_ + "/tmp", path);
  if (fd < 0) return io_failure(directory_, "cannot create a file in this cache");
  return BlobWriter(std::make_unique<BlobWriter::State>(directory_, std::move(path), fd));
}

Result<void> BlobCache::trim() const {
  if (!lease_) return ok();
  remove_old_pins(directory_);
  std::vector<StoredBlob> blobs = list_blobs(directory_);
  if (total_size(blobs) > options_.max_bytes)
    remove_oldest(directory_, std::move(blobs), options_.max_bytes);
  remove_dangling_keys(directory_);
  return ok();
}

}  // namespace pgo
