// A directory that profiles are uploaded to: each is a file, named for its labels, hour and
// contents (pgo/source/profile_key.h). Old ones are removed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pgo/source/profile_destination.h"

namespace pgo {

// The directory is made when the first profile comes.
std::unique_ptr<ProfileDestination> open_directory_destination(const std::string& directory,
                                                               const std::string& name);

// Removes the profiles below `directory` whose hour ended before `time` (nanoseconds since 1970),
// and directories that are then empty. Only files whose names profile_key() made count; all others
// stay. Returns how many were removed. Error: kIo.
Result<uint64_t> remove_old_profiles(const std::string& directory, int64_t time);

}  // namespace pgo
