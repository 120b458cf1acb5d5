// Can a compiler apply a sample profile, and which of LLVM's hidden options does it have? Both are
// asked by compiling a function with a profile of it: versions alone do not tell, since
// distributions patch and hidden options come and go.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/cli/diagnosis.h"

namespace pgo {

// Adds what there is to say of each of `programs` (names that are looked for in `search_path`, or
// paths); without any, of the clang and the gcc found there. A finding is kMissing when none of
// them applies profiles. Error: kIo for temporary files; kUsage for a program that is not there.
Result<void> check_compilers(const std::vector<std::string>& programs,
                             const std::string& search_path, Diagnosis& diagnosis);

}  // namespace pgo
