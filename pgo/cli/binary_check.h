// Is a binary fit for the job: can recordings of it become profiles, and can llvm-bolt work on it?
#pragma once

#include <string>

#include "pgo/cli/diagnosis.h"
#include "pgo/symbolize/debug_file.h"

namespace pgo {

// Findings are kMissing where a recording of it could become no profile, kError where the file or a
// part of it cannot be read; the other parts are looked at all the same. Looks at all its code, on
// `jobs` threads (0: all cores).
void check_binary(const std::string& path, const DebugPlaces& places, unsigned jobs,
                  Diagnosis& diagnosis);

}  // namespace pgo
