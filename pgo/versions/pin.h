// pin(): writes into a lock file which version of a profile a build uses from now on, or takes back
// what was pinned last. The file changes as a whole, or not at all; calls at the same time wait for
// each other.
#pragma once

#include <optional>
#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/registry/lock_file.h"
#include "pgo/signature/minisign.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

struct PinRequest {
  std::string name;                            // of the profile, in the lock file
  std::optional<RegistryReference> reference;  // nothing: what was pinned before
  std::string lock;                            // path; made when it is missing
  // Who must have signed it, now and when it is pulled; nothing: as the entry says that is there,
  // also of what was pinned before.
  std::optional<minisign::PublicKey> verify;
  OpenRegistry open;
  // The digest that must be pinned until now, "" for none; nothing: any. For who chose the version
  // by what was pinned.
  std::optional<std::string> expected = {};
};

struct PinResult {
  LockEntry entry;
  std::string before;       // the digest that was pinned until now; empty: none
  bool is_changed = false;  // false: the file was left as it is
  Diagnostics diagnostics;
};

// Errors: those of the registry and of the lock file; kUsage for a name or reference that cannot be
// pinned, and when nothing was pinned before; kMismatch for a version without the signature that is
// required, and where another version is pinned than `expected`; kIo.
Result<PinResult> pin(const PinRequest& request);

}  // namespace pgo
