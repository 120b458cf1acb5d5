// Which of the branches that a recording shows are calls of functions.
//
// A branch calls a function if it goes to the function's start, from code of another one, or by a
// call instruction (recursion). So jumps to the start of another function (tail calls, stubs) are
// calls, and loops to the start of their own function are none. Parts that were split off a
// function (f.cold) have no start. Calls that were inlined are not seen.
#pragma once

#include "converters/perf_data/stacks/branch_windows.h"
#include "pgo/binary/binary_set.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// The calls among `branches` (perf_data::SampledBranches::profile), with the same values. Each is a
// stack of one address, the start of the function that was called, with names as name_stacks()
// gives them. Only of functions in `binaries`. `jobs`: threads; 0: all cores.
// O(symbols log symbols + branches log branches), and that of name_stacks().
StackProfile find_calls(StackProfile branches, const BinarySet& binaries, unsigned jobs);

}  // namespace pgo
