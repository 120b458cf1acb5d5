// The signature that an entry of a lock file requires ("signed_by"). Manifest and signature are
// kept in the cache, and verified at each use, so that later uses need no registry.
#pragma once

#include <functional>
#include <string>

#include "pgo/registry/lock_file.h"
#include "pgo/source/blob_cache.h"
#include "pgo/versions/version_signature.h"

namespace pgo {

// Who must have signed the profile `name`, whose entry has a `signed_by`. Error: kInput.
Result<RequiredSignature> locked_signer(const LockEntry& entry, const std::string& lock,
                                        const std::string& name);

// Is the version of this entry signed so, and are the files of the entry in it? `registry` opens
// the place of the version, and is called only when the cache does not have what it takes. Errors:
// kMismatch; those of the registry and of the cache.
Result<void> check_locked_signature(const LockEntry& entry, const RequiredSignature& required,
                                    const BlobCache& cache,
                                    const std::function<Result<Registry*>()>& registry);

}  // namespace pgo
