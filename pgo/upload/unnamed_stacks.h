// Takes the names from stacks whose addresses say as much: some stores remove the addresses of
// locations that have names, and without addresses neither clang's profiles nor BOLT's can be made.
#pragma once

#include <cstdint>

#include "pgo/profile/stack_profile.h"

namespace pgo {

// Locations with an address in a file with a build ID lose their lines, and such a mapping says
// that it has no functions. Returns how many had lines. `profile` is normalized, also afterwards.
uint64_t leave_out_names(StackProfile& profile);

}  // namespace pgo
