// archive(): stores the files of a release by build ID. Recordings of that release need them later:
// to find functions and lines, and to translate addresses in a BOLTed binary to llvm-bolt's input.
//
//   ArchiveRequest request{.files = {.executable = "./server"}, .keep = keep};
//   PGO_TRY(ArchiveResult result, archive(request));
#pragma once

#include "pgo/archive/kept_release.h"

namespace pgo {

struct ArchiveRequest {
  ReleasePaths files;
  KeepRelease keep;
};

struct ArchiveResult {
  BuildId build_id;  // of the executable
  KeptRelease kept;
  Diagnostics diagnostics;
};

// Errors: those of open_release() and of the archive.
Result<ArchiveResult> archive(const ArchiveRequest& request);

}  // namespace pgo
