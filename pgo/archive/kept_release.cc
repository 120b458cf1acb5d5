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
              place + ": the archive has another file of this build (" + found + ") than " +
                  file.image.path() + " (" + file.digest + "); it was left as it is",
              "archive what was released, and before it is stripped or else changed; remove the "
              "archived file if it is the wrong one");
}

Failure removed_meanwhile(const std::string& place) {
  return fail(ErrorKind::kIo,
              place + ": another process changed or removed the file at the same time",
              "run this again");
}

}  // namespace pgo
