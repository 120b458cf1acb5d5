// A new version compared with the pinned one: how much their compile profiles overlap, and whether
// they have the same files.
#pragma once

#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/refresh/conversions.h"
#include "pgo/refresh/gates.h"
#include "pgo/registry/lock_file.h"

namespace pgo {

// Sets the overlaps of `figures`, or why there are none: with a warning, if one profile counts by
// line and the other by probe. `pinned` and `made` are paths of profiles of this kind. Errors:
// those of read_counted().
Result<void> compare_compile_profiles(const std::string& pinned, const std::string& made,
                                      FileKind kind, GateFigures& figures,
                                      Diagnostics& diagnostics);

// Does the pinned version have the profiles that were made, in the same forms, BOLT profiles of the
// same builds, and the recorded builds that were kept? BOLT profiles are of this configuration.
bool has_same_files(const LockEntry& pinned, const ConvertedFiles& made,
                    const std::string& configuration);

}  // namespace pgo
