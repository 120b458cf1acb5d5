// Is a binary fit for the job: can recordings of it become profiles, and can llvm-bolt work on it?
#pragma once

#include <string>

#include "pgo/binary/debug_file.h"
#include "pgo/doctor/finding.h"

namespace pgo {

// A finding is kMissing where recordings of the binary could not become a profile, and kError where
// the file or a part of it cannot be read; the other parts are examined all the same. Reads all of
// its debug information, on `jobs` threads (0: all cores).
void check_binary(const std::string& path, const DebugPlaces& places, unsigned jobs,
                  Findings& findings);

}  // namespace pgo
