// Recordings of BOLTed binaries on their way to a compiler's profile.
#pragma once

#include <optional>

#include "pgo/cli/binary_set.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// `profile` with the counts of each BOLTed binary moved to the binary that BOLT made it from,
// through BOLT's address translation table; nothing when there is no such binary. A BOLTed binary
// with debug information of its own (llvm-bolt --update-debug-sections) keeps its counts. An error
// when the input is not among `binaries`, or the table is missing.
Result<std::optional<AddressProfile>> move_counts_to_bolt_inputs(const AddressProfile& profile,
                                                                 const BinarySet& binaries);

}  // namespace pgo
