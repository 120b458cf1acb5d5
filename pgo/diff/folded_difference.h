// The difference of two sides as folded stacks with two columns, which difffolded.pl writes and
// flamegraph.pl draws in red and blue: "main;serve;parse 42 31" (before, after).
#pragma once

#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// `merged` is what MergedDifference makes. `type`: whose values, as "cpu/nanoseconds". Errors:
// kMismatch when it is not counted, kEmpty when no stack has a value.
Result<std::string> folded_difference(const StackProfile& merged, const std::string& type,
                                      Diagnostics& diagnostics);

}  // namespace pgo
