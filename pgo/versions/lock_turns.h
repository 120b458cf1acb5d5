// LockTurns: whoever changes a lock file, or removes from a registry what it does not name, does so
// one after the other. So no entry is lost, and what is being pinned is not removed.
//
//   PGO_TRY(const LockTurns turns, wait_for_turns({"pgo.lock"}));      until it goes out of scope
//
// The locks (flock) are on the directories of the lock files: they leave no file behind in a
// repository, and the lock file itself is replaced. Where a file system cannot lock directories,
// there is no order.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/base/unique_fd.h"

namespace pgo {

using LockTurns = std::vector<std::unique_ptr<UniqueFd>>;

// Errors: those of resolve_links().
Result<LockTurns> wait_for_turns(const std::vector<std::string>& locks);

}  // namespace pgo
