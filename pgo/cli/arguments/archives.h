// Archives on the command line: which argument names what kind of archive.
//
//   PGO_TRY(KeepRelease keep, archive_keeper("dir:/srv/builds", arguments));
#pragma once

#include <memory>
#include <string>

#include "pgo/archive/build_archive.h"
#include "pgo/archive/kept_release.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/source/blob_cache.h"

namespace pgo {

// `to`: a path or dir:PATH, a reference of a registry, s3://BUCKET/PREFIX. Errors: kUsage for
// another URL; kUnsupported for one that needs the network in a build without it. Nothing is opened
// before the release is kept.
Result<KeepRelease> archive_keeper(const std::string& to, const RegistryArguments& arguments);

// The same archives, to read; also debuginfod+https://HOST and "debuginfod:", the servers in
// $DEBUGINFOD_URLS. Files that are not on this machine are fetched into `cache`, which must outlive
// the archive. Also kUsage for a reference with a tag, and for a variable that names no server.
Result<std::unique_ptr<BuildArchive>> open_archive(const std::string& from,
                                                   const RegistryArguments& arguments,
                                                   const BlobCache& cache);

}  // namespace pgo
