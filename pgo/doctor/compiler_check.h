// Can a compiler apply a sample profile, and which flags of the table (pgo/flags) does it have?
// Both are found out by compiling a function with a profile of it: versions alone do not tell,
// since distributions patch and hidden options come and go.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/doctor/finding.h"

namespace pgo {

// Adds findings about each of `programs` (names that are looked for in `search_path`, or paths);
// without any, about the clang and the gcc found there. A finding is kMissing when none of
// them applies profiles. Error: kIo for temporary files; kUsage for a program that is not there.
Result<void> check_compilers(const std::vector<std::string>& programs,
                             const std::string& search_path, Findings& findings);

}  // namespace pgo
