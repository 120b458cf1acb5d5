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

// Whether nearly all stacks seem to have two counts, before and after, as in files of difffolded.pl
// and pgo diff, which have each stack once. parse_folded() would take the first count as part of
// the last name. So names may end in numbers where some differ in these alone ("worker 1", "worker
// 2"); or where a ';' ends them: "main;worker 1; 50". O(bytes log lines).
bool is_folded_difference(Bytes bytes);

// The profile counts samples/count and is not normalized. A last line without a newline counts,
// with a warning: its count may have had more digits. Errors (kInput) name the line. O(bytes).
Result<StackProfile> parse_folded(Bytes bytes, const std::string& name, Diagnostics& diagnostics);

// Values of the profile's default sample type, or of its last. Frames without a function are
// "module+0x12", the offset in the module's file. `profile` is normalized; lines are sorted, and
// equal ones are one: their values add up, and stop at the largest number that is read again,
// with a warning. Flame graphs have no place for a sum below 0, which is left out with a warning.
// Error: kEmpty when no sum is above 0.
Result<std::string> write_folded(const StackProfile& profile, Diagnostics& diagnostics);

}  // namespace pgo
