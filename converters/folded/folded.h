// Folded stacks, the text that flame graphs are drawn from. One stack per line, root first:
//
//   main;serve;parse 42
//
// Frames are separated by ';', the count follows the last space or tab. Names may hold spaces. What
// tools add to names is a part of them here: "_[k]" (kernel), "_[i]" (inlined), "module`function".
// A count may have a fraction; it is rounded to the nearest number, halves up. There is no way to
// write a ';' within a name: it becomes ':'. Empty lines do not count.
#pragma once

#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// Are the first lines like that?
bool is_folded(Bytes bytes);

// The profile counts samples/count and is not normalized. Errors (kInput) name the line. O(bytes).
Result<StackProfile> parse_folded(Bytes bytes, const std::string& name);

// Values of the profile's default sample type, or of its last. Frames without a function are
// "module+0x12", the offset in the module's file. `profile` is normalized; lines are sorted, and
// equal ones are one. Values that are not positive are left out. Error: kEmpty when none is left.
Result<std::string> write_folded(const StackProfile& profile);

}  // namespace pgo
