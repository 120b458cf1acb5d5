// References in lock files. A relative path of a directory counts from the directory of the lock
// file, not from where a build runs, so that both can be in one repository. Where a symbolic link
// leads to the lock file, it is the directory of the file that counts.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/registry/lock_file.h"
#include "pgo/registry/reference.h"

namespace pgo {

// How the lock file `lock` names `reference`, whose path counts from the current directory.
// Errors: those of resolve_links().
Result<std::string> reference_in_lock(const RegistryReference& reference, const std::string& lock);
// The other way round: where the version of an entry is. Errors: kUsage; those of
// resolve_links().
Result<RegistryReference> locked_reference(const LockEntry& entry, const std::string& lock);

}  // namespace pgo
