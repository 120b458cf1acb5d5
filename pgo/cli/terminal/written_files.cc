#include "pgo/cli/terminal/written_files.h"

#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/cli/terminal/messages.h"

namespace pgo {

Result<void> write_files(const std::vector<FileContents>& files) {
  std::vector<AtomicFile> pipes;
  {
    DeferredTermination termination;
    std::vector<AtomicFile> written;
    for (const FileContents& file : files) {
      PGO_TRY(AtomicFile one, AtomicFile::write(file.path, file.contents));
      (one.temporary().empty() ? pipes : written).push_back(std::move(one));
    }
    for (AtomicFile& file : written) {
      PGO_CHECK(file.commit());
      if (!file.warning().empty()) print_warning(file.warning());
    }
  }
  for (AtomicFile& pipe : pipes) PGO_CHECK(pipe.commit());
  return ok();
}

}  // namespace pgo
