// Reads a stack profile of any format: pprof, gperftools' CPU profiles, folded stacks.
#pragma once

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"
#include "pgo/source/input_bytes.h"

namespace pgo {

// Errors: kInput for what is damaged or cut short; kUnsupported for a file of another format, and
// for folded stacks with two counts, which are a difference (is_folded_difference()).
Result<StackProfile> read_stack_profile(const InputBytes& input, Diagnostics& diagnostics);

}  // namespace pgo
