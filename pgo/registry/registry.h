// Registry: where versions of profiles are kept: an OCI image layout in a directory, or an OCI
// registry. Blobs and manifests are named by their digests, which are checked at every read; tags
// are names for manifests, and may move.
//
//   PGO_TRY(StoredManifest stored, get_manifest(registry, reference.version()));
//   PGO_TRY(OciManifest manifest, parse_oci_manifest(stored.bytes, stored.digest));
//   PGO_CHECK(registry.fetch_blob(manifest.layers[0], sink));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/registry/oci_manifest.h"

namespace pgo {

struct StoredManifest {
  std::string digest, media_type;
  std::string bytes;
};

// How a manifest can be asked for: by tag, or by digest where it has none.
struct ManifestName {
  std::string tag, digest;  // either may be empty, not both

  bool operator==(const ManifestName&) const = default;
};

// Takes the bytes of a blob. They count only when fetch_blob() returns without an error.
class BlobSink {
 public:
  BlobSink() = default;
  BlobSink(const BlobSink&) = delete;
  BlobSink& operator=(const BlobSink&) = delete;
  virtual ~BlobSink() = default;

  virtual Result<void> append(Bytes bytes) = 0;
  // Drops what was appended so far: a transfer begins again.
  virtual Result<void> restart() = 0;
};

// Errors of all calls: kIo for what cannot be reached, or refuses; kInput for what is damaged,
// which name both digests; kUnsupported for digests that are not sha256.
class Registry {
 public:
  Registry() = default;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;
  virtual ~Registry() = default;

  // "oci-dir:/srv/profiles", for messages.
  virtual const std::string& name() const = 0;

  // Nothing when there is none. `version` is a tag or a digest.
  virtual Result<std::optional<StoredManifest>> find_manifest(const std::string& version) = 0;
  // Sorted by tag, then by digest. A remote registry lists tags only. Error: also when there is no
  // such repository.
  virtual Result<std::vector<ManifestName>> list_manifests() = 0;
  // Does that list manifests without a tag, too?
  virtual bool lists_untagged() const = 0;
  // The digests of manifests whose subject is `digest`, and of those that a remote registry lists
  // as such and does not have.
  virtual Result<std::vector<std::string>> list_referrers(const std::string& digest) = 0;
  virtual Result<void> fetch_blob(const OciDescriptor& blob, BlobSink& sink) = 0;

  // Is this blob there, as it should be?
  virtual Result<bool> has_blob(const OciDescriptor& blob) = 0;
  // The same for the existence and the size alone, without a request to a server. Error: kInput,
  // that of fetch_blob().
  virtual Result<void> glance_at(const OciDescriptor& /*blob*/) { return ok(); }
  // False when it had this blob already. `bytes` have this digest.
  virtual Result<bool> push_blob(const std::string& digest, Bytes bytes) = 0;
  // After all that the manifest names. `tag` may be empty. A manifest that had this tag loses it.
  virtual Result<void> push_manifest_as(const std::string& media_type, const std::string& bytes,
                                        const std::string& tag) = 0;
  // The same with the media type that the manifest says itself, or else kOciManifestType.
  Result<void> push_manifest(const std::string& bytes, const std::string& tag);
  // A manifest of kOciManifestType, if `tag` still names the manifest with the digest `expected`
  // (empty: none). False, and the tag stays, when it names another one by now. A layout does this
  // in one step. A remote registry cannot: the tag is read just before and just after the write. Of
  // two jobs at the same moment one is told false, unless the first is done while the other has
  // read and not yet written.
  virtual Result<bool> move_tag(const std::string& bytes, const std::string& tag,
                                const std::string& expected) = 0;
};

// Error: kInput when there is none.
Result<StoredManifest> get_manifest(Registry& registry, const std::string& version);
// A blob as a whole, of at most `max_bytes`. Error: kInput for a larger one.
Result<std::string> get_blob(Registry& registry, const OciDescriptor& blob, uint64_t max_bytes);

// What a damaged blob or manifest is refused with, by both digests. `place` is where it was read.
Failure wrong_digest(const std::string& place, const std::string& expected,
                     const std::string& found);
// Of a file in a registry or an archive, in bytes: a hostile one would fill the disk.
inline constexpr uint64_t kMaxStoredFile = uint64_t{64} << 30;
// Error: kInput for a larger blob. `place` is the registry.
Result<void> check_blob_size(const std::string& place, const OciDescriptor& blob);

// Error: kUnsupported for other digests than sha256.
Result<void> check_digest_kind(const std::string& place, const std::string& digest);

}  // namespace pgo
