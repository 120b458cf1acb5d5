// OciLayout: a Registry in a directory, as an OCI image layout 1.0.0. skopeo, oras and others read
// it (oci:PATH:TAG), and it can be copied, mounted and kept in backups like any directory.
//
//   oci-layout                  {"imageLayoutVersion":"1.0.0"}
//   index.json                  the manifests, with their tags
//   blobs/sha256/<hex>          manifests and blobs
//   .prodpgo/                   ours: index.lock, blobs.lock, and tmp/ for files that are written
//
// Several processes may write at once, and be killed at any point: a file is complete and on disk
// before it is renamed to its place, and index.json changes under a lock (flock), last. So a layout
// always parses, and lists every push that has ended. What was begun and not finished is removed by
// collect_garbage(), which waits for the pushes that run, and which pushes wait for.
//
// Readers take no lock and write nothing.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "pgo/base/unique_fd.h"
#include "pgo/registry/registry.h"

namespace pgo {

class OciLayout final : public Registry {
 public:
  // Reads a layout. Errors: kIo; kInput for a directory that is none; kUnsupported for another
  // version. `directory` is as given, for messages.
  static Result<std::unique_ptr<OciLayout>> open(const std::string& directory);
  // The same, and makes one where the directory is missing or empty. Error: kIo; kInput for a
  // directory with other files.
  static Result<std::unique_ptr<OciLayout>> open_to_push(const std::string& directory);

  const std::string& name() const override { return name_; }
  Result<std::optional<StoredManifest>> find_manifest(const std::string& version) override;
  Result<std::vector<ManifestName>> list_manifests() override;
  bool lists_untagged() const override { return true; }
  Result<std::vector<std::string>> list_referrers(const std::string& digest) override;
  Result<void> fetch_blob(const OciDescriptor& blob, BlobSink& sink) override;
  Result<void> glance_at(const OciDescriptor& blob) override;
  // When it was opened to push, the blob also stays until this object goes.
  Result<bool> has_blob(const OciDescriptor& blob) override;
  Result<bool> push_blob(const std::string& digest, Bytes bytes) override;
  Result<void> push_manifest_as(const std::string& media_type, const std::string& bytes,
                                const std::string& tag) override;
  Result<bool> move_tag(const std::string& bytes, const std::string& tag,
                        const std::string& expected) override;

  // What was removed, or would be. Manifests are blobs, too.
  struct Garbage {
    uint64_t manifests = 0, blobs = 0, bytes = 0;
  };
  enum class Removal { kDryRun, kRemove };
  // Keeps the manifests whose digests `choose` returns. The others leave the index, and blobs that
  // no manifest uses go. kRemove locks the layout, so pushes wait. kDryRun takes no lock, because
  // its user may lack write permission; so it may count blobs of a push under way. Error:
  // kUnsupported when it is not known which blobs a manifest uses; also those of `choose`.
  Result<Garbage> collect_garbage(Removal removal,
                                  const std::function<Result<std::set<std::string>>()>& choose);

 private:
  enum class Use : uint8_t { kRead, kPush };
  OciLayout(const std::string& directory, Use use);

  std::string blob_path(const std::string& digest) const;
  Result<OciIndex> read_index() const;
  Result<void> write_file(const std::string& path, std::string_view contents) const;
  Result<void> lock_blobs(int operation);
  // The blob, and what is to be its entry in the index.
  Result<OciDescriptor> push_manifest_blob(const std::string& media_type, const std::string& bytes);
  // By the index, for a manifest that does not say it itself.
  Result<std::string> listed_media_type(const std::string& digest) const;
  // False when the tag does not name `expected` any more; nothing: it may name any manifest.
  Result<bool> add_to_index(const OciDescriptor& manifest, const std::string& tag,
                            const std::optional<std::string>& expected) const;
  // The digests of `manifests`, and of all that they name.
  Result<std::set<std::string>> used_by(std::vector<std::string> manifests) const;
  // Adds the digests of the blobs of `manifest` to `used`, and those of its manifests to
  // `manifests`.
  Result<void> add_used(const std::string& manifest, std::set<std::string>& used,
                        std::vector<std::string>& manifests) const;
  Result<void> remove_blobs(const std::set<std::string>& used, Removal removal,
                            Garbage& garbage) const;

  std::string directory_, name_;
  Use use_;
  // blobs.lock: shared from the first push of this object on, exclusive while garbage is collected.
  std::optional<UniqueFd> blobs_lock_;
};

}  // namespace pgo
