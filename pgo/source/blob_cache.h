// BlobCache: what was fetched, by the digest of its contents, so that it is not fetched again.
//
//   PGO_TRY(BlobCache cache, BlobCache::open(default_cache_directory(), {.max_bytes = 8 << 30}));
//   if (std::optional<Blob> blob = cache.find(key)) ...       blob->path, blob->digest
//   PGO_TRY(BlobWriter writer, cache.write());
//   writer.append(bytes);
//   PGO_TRY(Blob blob, writer.commit(key));
//
// Below the directory: blobs/sha256/<hex> (as in an OCI image layout), keys/<hex of the key's
// hash>, pinned/<hex>: an empty file for each blob that must stay, leases/: an empty file for each
// BlobCache that lives. Files appear whole or not at all, so a process that was killed leaves
// nothing but unfinished temporary files and its lease, which a later one removes. Several
// processes may use one cache.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

struct Blob {
  std::string path;
  std::string digest;  // "sha256:<hex>"
  uint64_t size = 0;
};

// Where the user puts the cache.
inline constexpr const char* kCacheVariable = "PRODPGO_CACHE";

// $PRODPGO_CACHE, else $XDG_CACHE_HOME/prodpgo, else ~/.cache/prodpgo. A relative XDG_CACHE_HOME
// does not count, as its specification has it. Error: kUsage when none of the variables is set, and
// when PRODPGO_CACHE is relative.
Result<std::string> default_cache_directory();

// Where the blobs of the cache in `directory` are: files whose names are the hex digits of their
// digests.
std::string blob_directory(const std::string& directory);

// A blob while it is written: a temporary file of the cache.
class BlobWriter {
 public:
  BlobWriter(BlobWriter&& other) noexcept;
  BlobWriter& operator=(BlobWriter&& other) noexcept;
  ~BlobWriter();  // removes what was not committed

  Result<void> append(Bytes bytes);
  // Drops what was appended so far.
  Result<void> restart();
  uint64_t size() const;
  // Empty key: it is kept by its digest only.
  Result<Blob> commit(std::string_view key);

 private:
  friend class BlobCache;
  struct State;
  explicit BlobWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct BlobCacheOptions {
  uint64_t max_bytes = uint64_t{20} << 30;
};

class BlobCache {
 public:
  // Makes the directory, readable for its user only. Where this process may read and not write, it
  // finds what is there, write() fails, and pin() and trim() do nothing. Error: kIo.
  static Result<BlobCache> open(const std::string& directory, const BlobCacheOptions& options = {});

  // `key` names an object and its version: the identity of its source, name and version, separated
  // by newlines. A blob
  // with another digest (a damaged disk, an edited file) is no blob. Marks it as used now. O(size).
  std::optional<Blob> find(std::string_view key) const;
  // The same by its digest, "sha256:<hex>".
  std::optional<Blob> find_digest(std::string_view digest, uint64_t size) const;
  // Where the blob would be, if a file is there and find_digest() does not find it: it is damaged.
  std::optional<std::string> find_damaged(std::string_view digest, uint64_t size) const;
  // trim() leaves the blob with this digest where it is for 90 days, also when it comes later.
  Result<void> pin(std::string_view digest) const;
  Result<BlobWriter> write() const;
  // Removes the blobs that were used longest ago, until the rest fits the limit, and keys without a
  // blob. Blobs that were pinned within the last 90 days stay, and those used within the last hour
  // or since the oldest BlobCache that lives (of any process) was opened. O(files).
  Result<void> trim() const;

  const std::string& directory() const { return directory_; }

  BlobCache(BlobCache&& other) noexcept;
  BlobCache& operator=(BlobCache&& other) noexcept;
  ~BlobCache();

 private:
  struct Lease;
  BlobCache(std::string directory, const BlobCacheOptions& options, std::unique_ptr<Lease> lease);

  std::string directory_;
  BlobCacheOptions options_;
  std::unique_ptr<Lease> lease_;  // none: this process may not write here
};

}  // namespace pgo
