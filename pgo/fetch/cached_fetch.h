// Fetches chosen profiles into the cache, and takes those from it that are there already.
//
//   PGO_TRY(CachedObjects fetched, fetch_through_cache(sources, chosen, cache, options));
//   fetched.blobs[i]      of chosen[i]: the blob, or why there is none
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/fetch/selection.h"
#include "pgo/source/blob_cache.h"
#include "pgo/source/source.h"

namespace pgo {

struct CachedFetchOptions {
  uint64_t max_object_bytes = uint64_t{1} << 30;
  uint64_t max_bytes = uint64_t{8} << 30;  // of all that is downloaded
  ProgressFn progress;
};

struct CachedObjects {
  std::vector<Result<Blob>> blobs;  // in the order of `chosen`
  std::set<size_t> too_large;       // of `chosen`: stopped by a limit
  uint64_t downloaded = 0;
  uint64_t downloaded_bytes = 0;        // without what a source sent again from the beginning
  uint64_t found = 0, found_bytes = 0;  // in the cache
  Diagnostics diagnostics;              // of sources; what has some is not kept in the cache
};

// Objects without a version are fetched each time. Errors of an object: kIo and kInput as its
// source has them; kInput when it is larger than a limit. Error of all: kIo when the cache cannot
// be written to.
Result<CachedObjects> fetch_through_cache(const std::vector<Source*>& sources,
                                          const std::vector<ChosenCandidate>& chosen,
                                          const BlobCache& cache,
                                          const CachedFetchOptions& options);

}  // namespace pgo
