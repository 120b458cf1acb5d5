// Types of samples as stores can be asked for them.
//
// Queries name a type by its parts, with colons between them, and Parca's take letters, digits and
// '_' alone. perf's events have other characters ("cycles:u", "cpu-clock"), and a store keeps what
// it is given: such profiles could be uploaded, but not fetched. So names change on the way there.
#pragma once

#include <string>
#include <string_view>

#include "pgo/profile/stack_profile.h"

namespace pgo::store_access {

// "cpu" for time on the CPU, "cycles" for "cycles:u", "L1_dcache_loads" for "L1-dcache-loads:u".
std::string storable_type(std::string_view type, std::string_view unit);

// Renames the types of samples and of the period. A period that is not known (perf's -F, folded
// stacks) becomes the mean of what a sample stands for, or 1 by a period of samples, because Parca
// multiplies numbers of samples by it. `profile` is normalized, also afterwards.
void make_types_storable(StackProfile& profile);

}  // namespace pgo::store_access
