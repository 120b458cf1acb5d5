// Recordings of BOLTed binaries on their way to a compiler's profile.
#pragma once

#include <vector>

#include "pgo/cli/binary_set.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// `counted`, with the counts of each BOLTed binary moved to the binary that BOLT made it from,
// through BOLT's address translation table. A BOLTed binary with debug information of its own
// (llvm-bolt --update-debug-sections) keeps its counts when the input is not among `binaries` or
// the table is missing; one without gives an error then. One with pseudo probes, which llvm-bolt
// always writes anew, keeps its counts.
Result<std::vector<BinaryCounts>> move_counts_to_bolt_inputs(std::vector<BinaryCounts> counted,
                                                             const BinarySet& binaries);

}  // namespace pgo
