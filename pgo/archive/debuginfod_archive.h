// An archive that debuginfod servers are: they have executables and debug files by build ID, of
// packages or of directories that they scan. Such an archive is only read.
//
// A server does not know which builds belong together. So the debug file of an executable that has
// debug information is not asked for. llvm-bolt's input is looked for by the build ID that
// llvm-bolt made of its own: with the last bit flipped. `pgo bolt` writes a digest into the last
// quarter of the ID instead, from which that of the input does not follow: 'pgo archive' keeps both
// files of such a release.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pgo/archive/build_archive.h"
#include "pgo/source/blob_cache.h"

namespace pgo {

// What an archive needs of a server.
struct DebuginfodAccess {
  // Where the executable or debug file of a build is, for people. No secrets.
  std::function<std::string(const BuildId&, ReleaseRole)> place;
  // Fetches it. False: the server does not have it.
  std::function<Result<bool>(const BuildId&, ReleaseRole, BlobWriter&)> fetch;
};

// Servers are asked in their order: the first that has a file counts. A server that fails is only
// an error if no other one has the file. Files are fetched into `cache`, which must outlive the
// archive: what is there is not asked for again. `name` is for messages. Error of find() also:
// kInput for a file of another build.
std::unique_ptr<BuildArchive> open_debuginfod_archive(std::string name,
                                                      std::vector<DebuginfodAccess> servers,
                                                      const BlobCache& cache);

}  // namespace pgo
