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

struct OldProfiles {
  int64_t before = 0;              // those whose hour ended before this time, in ns since 1970
  std::string service;             // only those of this service; empty: of all
  std::vector<std::string> fresh;  // paths of files that stay: they have just been uploaded
};

// Removes these profiles below `directory`, and directories that are then empty. Only files that
// uploads made count: those whose names tell an hour and the digest of their contents. Returns how
// many were removed. Error: kIo.
Result<uint64_t> remove_old_profiles(const std::string& directory, const OldProfiles& old);

}  // namespace pgo
