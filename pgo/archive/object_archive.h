// An archive in a store of objects, such as S3:
//
//   <build ID of the executable>/executable
//   <build ID of the executable>/debug
//   <build ID of the executable>/prebolt
//
// A build ID of more than 20 bytes is cut to these: archive_key().
#pragma once

#include <optional>
#include <string>

#include "pgo/archive/kept_release.h"
#include "pgo/base/bytes.h"

namespace pgo {

struct ArchivedObject {
  uint64_t size = 0;
  std::string digest = {};  // "sha256:<hex>"; empty: another tool wrote it, and it is not known
};

// What an archive needs of a store. Errors of all calls: those of the store.
class ObjectStore {
 public:
  ObjectStore() = default;
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;
  virtual ~ObjectStore() = default;

  // "s3://builds/server/KEY", for people.
  virtual std::string place(const std::string& key) const = 0;
  // Nothing when there is none.
  virtual Result<std::optional<ArchivedObject>> find(const std::string& key) = 0;
  // "sha256:<hex>" of an object of `size` bytes, read as a whole. O(size).
  virtual Result<std::string> read_digest(const std::string& key, uint64_t size) = 0;
  // Writes an object, with its digest, if there is none of this key. False when there is one, which
  // stays. A store that cannot ask for that replaces it.
  virtual Result<bool> put_new(const std::string& key, Bytes bytes) = 0;
};

// "<build ID>/executable".
std::string object_key(const BuildId& build, ReleaseRole role);

// Each object is read again after it was written: in a store that cannot write conditionally,
// another job may have replaced it. Errors: those of the store; kMismatch.
Result<KeptRelease> keep_in_objects(ObjectStore& store, const Release& release);

}  // namespace pgo
