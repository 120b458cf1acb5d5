#include "pgo/versions/cached_text.h"

#include "pgo/base/mapped_file.h"
#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/registry/oci_manifest.h"

namespace pgo {

std::string manifest_key(const std::string& digest) { return "manifest\n" + digest; }

std::string signature_key(const std::string& manifest, const minisign::PublicKey& key) {
  return "signature\n" + manifest + "\n" + minisign::public_key_text(key);
}

Result<std::optional<std::string>> cached_text(const BlobCache& cache, const std::string& key) {
  const std::optional<Blob> blob = cache.find(key);
  if (!blob || blob->size > kMaxOciManifest) return std::optional<std::string>();
  PGO_CHECK(cache.pin(blob->digest));
  PGO_TRY(const MappedFile contents, MappedFile::open(blob->path));
  return std::optional<std::string>(as_text(contents.bytes()));
}

Result<std::optional<std::string>> cached_manifest(const BlobCache& cache,
                                                   const std::string& digest) {
  PGO_TRY(std::optional<std::string> cached, cached_text(cache, manifest_key(digest)));
  if (cached && Sha256::digest_of(as_bytes(*cached)) != digest) cached.reset();
  return cached;
}

Result<void> keep_text(const BlobCache& cache, const std::string& key, std::string_view text) {
  PGO_TRY(BlobWriter writer, cache.write());
  PGO_CHECK(writer.append(as_bytes(text)));
  PGO_TRY(const Blob blob, writer.commit(key));
  return cache.pin(blob.digest);
}

}  // namespace pgo
