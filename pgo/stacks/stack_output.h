// Writes a StackProfile in any of the formats that hold one.
#pragma once

#include <string>

#include "converters/format.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// `profile` is normalized. `format`: pprof, compressed or not, for Go's compiler; or folded stacks
// and flame graphs, from which the frames go that the profile says are of no interest. Errors:
// those of prune_frames(), write_folded(), for_go() and FlameTreeBuilder::build().
Result<std::string> write_stacks(const StackProfile& profile, Format format,
                                 Diagnostics& diagnostics);

}  // namespace pgo
