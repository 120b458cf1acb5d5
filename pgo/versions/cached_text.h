// Short texts in the cache, by key: manifests, and the signatures that lock files require. Builds
// with the same lock file find them there without a registry.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/signature/minisign.h"
#include "pgo/source/blob_cache.h"

namespace pgo {

std::string manifest_key(const std::string& digest);
std::string signature_key(const std::string& manifest, const minisign::PublicKey& key);

// What the cache has by this key; it then stays there for 90 days. Error: kIo.
Result<std::optional<std::string>> cached_text(const BlobCache& cache, const std::string& key);
// The same of a manifest, if it has this digest.
Result<std::optional<std::string>> cached_manifest(const BlobCache& cache,
                                                   const std::string& digest);
// Error: kIo.
Result<void> keep_text(const BlobCache& cache, const std::string& key, std::string_view text);

}  // namespace pgo
