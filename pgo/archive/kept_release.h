// KeptRelease: what an archive has of a release after it was asked to keep it.
//
// Archives only grow: a file that is there already is left as it is, whether another job put it
// there or this one did before, and a file with other contents is an error: one build ID must
// always give the same file. So it is when several jobs archive at once: the one that comes second
// gets the error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pgo/archive/release.h"
#include "pgo/base/result.h"

namespace pgo {

struct KeptFile {
  ReleaseRole role = ReleaseRole::kExecutable;
  BuildId build_id;
  std::string digest;
  uint64_t size = 0;
  std::string place;    // where to find it: a path, a reference, a URL
  bool is_new = false;  // it was not there yet
};

struct KeptRelease {
  std::vector<KeptFile> files;  // as Release has them
  std::string manifest = {};    // digest, in a registry
};

// Keeps a release in one archive. Errors: those of the archive; kMismatch for other contents.
using KeepRelease = std::function<Result<KeptRelease>(const Release&)>;

KeptFile kept_file(const ReleaseFile& file, const std::string& place);

// For an archive that has another file in the place of `file`; `found` is the digest of that one,
// or what else tells them apart.
Failure other_contents(const std::string& place, const ReleaseFile& file, const std::string& found);

// For a file that was there when this job came to write it, and is not there any more.
Failure removed_meanwhile(const std::string& place);

}  // namespace pgo
