#include "pgo/registry/registry.h"

#include <utility>
#include <vector>

#include "pgo/base/number_text.h"
#include "pgo/base/sha256.h"
#include "pgo/base/spelling.h"

namespace pgo {
namespace {

class TextSink final : public BlobSink {
 public:
  Result<void> append(Bytes bytes) override {
    text_.append(as_text(bytes));
    return ok();
  }
  Result<void> restart() override {
    text_.clear();
    return ok();
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

Result<void> check_size(const std::string& place, const OciDescriptor& blob, uint64_t max_bytes) {
  if (blob.size <= max_bytes) return ok();
  return fail(ErrorKind::kInput, place + ": the blob " + blob.digest + " has " +
                                     format_size(blob.size) + ", and at most " +
                                     format_size(max_bytes) + " are read");
}

// Those that a missing version may be a slip of: none for a digest, or if they are not listed.
std::vector<std::string> tags_near(Registry& registry, const std::string& version) {
  std::vector<std::string> tags;
  if (is_sha256_digest(version)) return tags;
  if (const Result<std::vector<ManifestName>> names = registry.list_manifests())
    for (const ManifestName& name : *names)
      if (!name.tag.empty()) tags.push_back(name.tag);
  return tags;
}

}  // namespace

Result<void> Registry::push_manifest(const std::string& bytes, const std::string& tag) {
  PGO_TRY(const std::string own, own_media_type(bytes, name()));
  return push_manifest_as(own.empty() ? kOciManifestType : own, bytes, tag);
}

Result<StoredManifest> get_manifest(Registry& registry, const std::string& version) {
  PGO_TRY(std::optional<StoredManifest> found, registry.find_manifest(version));
  if (found) return *std::move(found);
  return fail(ErrorKind::kInput, registry.name() + ": has no version " + version,
              spelling_advice(version, tags_near(registry, version),
                              "'pgo list " + registry.name() + "' shows those that it has"));
}

Result<void> check_blob_size(const std::string& place, const OciDescriptor& blob) {
  return check_size(place, blob, kMaxStoredFile);
}

Result<std::string> get_blob(Registry& registry, const OciDescriptor& blob, uint64_t max_bytes) {
  PGO_CHECK(check_size(registry.name(), blob, max_bytes));
  TextSink sink;
  PGO_CHECK(registry.fetch_blob(blob, sink));
  return sink.take();
}

Failure wrong_digest(const std::string& place, const std::string& expected,
                     const std::string& found) {
  return fail(ErrorKind::kInput,
              place + ": is damaged: its digest should be " + expected + ", and is " + found);
}

Result<void> check_digest_kind(const std::string& place, const std::string& digest) {
  if (is_sha256_digest(digest)) return ok();
  return fail(ErrorKind::kUnsupported,
              place + ": " + digest + ": only sha256 digests are supported");
}

}  // namespace pgo
