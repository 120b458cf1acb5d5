#include "pgo/base/private_file.h"

#include "pgo/base/atomic_file.h"
#include "pgo/base/deferred_termination.h"

namespace pgo {

Result<void> write_private_file(const std::string& path, std::string_view contents, int64_t time) {
  const DeferredTermination termination;
  PGO_TRY(AtomicFile file,
          AtomicFile::overwrite(path, contents, {.permissions = 0600, .time = time}));
  return file.commit();
}

}  // namespace pgo
