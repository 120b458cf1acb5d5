// Is a binary fit for the job: can recordings of it become profiles, and can llvm-bolt work on it?
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/cli/diagnosis.h"
#include "pgo/symbolize/debug_file.h"

namespace pgo {

// Findings are kMissing where a recording of it could become no profile. Looks at all its code, on
// `jobs` threads (0: all cores). Errors: a file that cannot be read, or is no ELF file.
Result<void> check_binary(const std::string& path, const DebugPlaces& debug, unsigned jobs,
                          Diagnosis& diagnosis);

}  // namespace pgo
