// collect_garbage(): removes old versions from an OCI image layout: what no lock file names, except
// the newest ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/registry/oci_layout.h"
#include "pgo/versions/version_list.h"

namespace pgo {

struct GarbageRequest {
  OciLayout* layout = nullptr;     // opened to push, except for a dry run
  std::vector<std::string> locks;  // lock files, all of which must be readable
  uint64_t newest = 10;            // how many of the newest versions stay in any case
  OciLayout::Removal removal = OciLayout::Removal::kRemove;
};

struct GarbageResult {
  std::vector<ListedVersion> kept, removed;  // newest first
  uint64_t unreadable = 0;                   // artifacts that stay because they cannot be read
  uint64_t removed_referrers = 0;            // signatures of what was removed
  uint64_t blobs = 0, bytes = 0;             // that were freed, or would be
  Diagnostics diagnostics;
};

// Keeps what the lock files pin now, what they pinned before that ('previous'), the newest
// versions, what refers to any of these, artifacts that are no profiles, and, with a warning,
// versions that cannot be read. Without lock files there is a warning. Waits until no pin in these
// lock files runs and, except for a dry run, no push. Errors: those of the layout and of the lock
// files, also when it is not known which blobs a damaged manifest uses; then nothing is removed.
Result<GarbageResult> collect_garbage(const GarbageRequest& request);

}  // namespace pgo
