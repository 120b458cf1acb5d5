// Is a profile of the binary that is optimized? llvm-bolt prints how much of a profile fits the
// code; its words differ between versions, and what it does not print is not known.
#pragma once

#include <string>

#include "bolt/bolt_log.h"
#include "bolt/perf2bolt.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"
#include "pgo/postlink/candidate_check.h"

namespace pgo {

// The build whose blocks are to be found in the input: `named`, the path of the build that the
// profile is of. Empty when none is named, and when it is this build once more, by its build ID:
// then the profile fits as it is. Errors: kMismatch for the input's own file, which changes with
// each build and so can be none that was recorded; what opening the file gives.
Result<std::string> find_earlier_build(const ElfImage& input, const std::string& named);

// `log` is of a run of llvm-bolt on `binary`. Errors: kEmpty when no function of the profile is in
// it; kMismatch when the profile is of another program, or of another build and was not matched by
// blocks, with `advice` for the latter.
Result<void> check_is_of(const BoltLog& log, const std::string& binary, const std::string& advice);

// The same for the run that made the result, perhaps by matching blocks. `identity`: how sure it is
// that this very build was recorded. Warns (kind "stale") when a good part of the profile does not
// fit. Errors: those above; kMismatch when too few blocks are the same.
Result<CheckOutcome> check_profile_fit(const BoltLog& log, const std::string& binary,
                                       BuildIdentity identity, Diagnostics& diagnostics);

// Why the profile of `log` does not fit: are most of its functions in the binary, and their code
// has changed? Otherwise it is of another program, or something else is wrong.
bool is_of_changed_code(const BoltLog& log);

}  // namespace pgo
