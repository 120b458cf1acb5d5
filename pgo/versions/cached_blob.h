// fetch_into_cache(): a blob of a registry as a file of the cache.
#pragma once

#include "pgo/base/result.h"
#include "pgo/registry/registry.h"
#include "pgo/source/blob_cache.h"

namespace pgo {

// Also when the cache has it already: ask BlobCache::find_digest() first. Errors: those of the
// registry; kInput for more than kMaxStoredFile; kIo.
Result<Blob> fetch_into_cache(Registry& registry, const OciDescriptor& blob,
                              const BlobCache& cache);

}  // namespace pgo
