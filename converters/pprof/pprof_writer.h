// Writes pprof profiles (the layout is above the reader, pprof_reader.h), and the kind of them that
// Go's compiler takes as default.pgo.
//
// A normalized profile has one form: ids are positions + 1, strings are those of the profile,
// fields come in the order of their numbers, lists of numbers are packed, and what is 0 is not
// written.
#pragma once

#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// The message, not compressed. `profile` is normalized. O(bytes).
std::string write_pprof(const StackProfile& profile);

// What `go build -pgo` needs of a profile: no labels, no comments, no time, so that default.pgo is
// small, tells nothing of hosts and users, and changes only when counts do. `profile` is
// normalized, and so is the answer. Samples with negative values, as differences of profiles have
// them, are left out with a warning. Errors: kUnsupported when it counts neither samples/count nor
// cpu/nanoseconds, which is all that Go's compiler looks for, or when no function has a start line,
// without which it cannot place lines; kEmpty when all samples are left out.
Result<StackProfile> for_go(const StackProfile& profile, Diagnostics& diagnostics);

}  // namespace pgo
