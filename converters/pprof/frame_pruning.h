// Leaves out of stacks what a profile says is of no interest: its drop_frames and keep_frames,
// which pprof's tools apply when they show a profile, and never when they store one.
//
// Both are regular expressions of RE2's syntax for whole names of functions, without what follows
// their first bracket ("f(int)" is "f"; "(anonymous namespace)" and "operator()" are no brackets).
// From the root of a stack on, once there was a frame that stays, the first one to drop goes with
// all that it called, unless it is to be kept. Of functions that were inlined into one another at a
// place, those up to the dropped one go.
#pragma once

#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// A normalized profile without them. Error: kInput when an expression is none.
Result<StackProfile> prune_frames(const StackProfile& profile);

}  // namespace pgo
