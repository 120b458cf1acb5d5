// An archive in a store of objects that is read through a Source: the other direction of
// object_archive.h.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "pgo/archive/build_archive.h"
#include "pgo/source/blob_cache.h"
#include "pgo/source/source.h"

namespace pgo {

// The objects below a folder of the archive: "3fa2…" of s3://builds/server, say. "": all of it.
using OpenFolder = std::function<Result<std::unique_ptr<Source>>(const std::string& folder)>;

// Files are fetched into `cache`, which must outlive the archive. `name` is for messages.
std::unique_ptr<BuildArchive> open_source_archive(const std::string& name, OpenFolder open,
                                                  const BlobCache& cache);

}  // namespace pgo
