// archive(): keeps the files of a release by their build IDs. Without them nobody can name the code
// of next week's recordings, nor translate addresses of what llvm-bolt made.
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
