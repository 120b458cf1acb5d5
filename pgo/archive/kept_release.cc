#include "pgo/archive/kept_release.h"

namespace pgo {

KeptFile kept_file(const ReleaseFile& file, const std::string& place) {
  return {.role = file.role,
          .build_id = file.image.build_id(),
          .digest = file.digest,
          .size = file.image.bytes().size(),
          .place = place};
}

Failure other_contents(const std::string& place, const ReleaseFile& file,
                       const std::string& found) {
  return fail(ErrorKind::kMismatch,
              place + " (" + found + "): has the build ID of " + file.image.path() + " (" +
                  file.digest + "), but other contents; it was not replaced",
              "archive the released file before anything strips or changes it; if the archived "
              "file is wrong, remove it");
}

Failure removed_meanwhile(const std::string& place) {
  return fail(ErrorKind::kIo,
              place + ": another process changed or removed the file at the same time",
              "run this again");
}

}  // namespace pgo
