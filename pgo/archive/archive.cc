#include "pgo/archive/archive.h"

namespace pgo {

Result<ArchiveResult> archive(const ArchiveRequest& request) {
  ArchiveResult result;
  PGO_TRY(const Release release, open_release(request.files, result.diagnostics));
  result.build_id = release.build_id();
  PGO_TRY(result.kept, request.keep(release));
  return result;
}

}  // namespace pgo
