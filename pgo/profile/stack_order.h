// The canonical order of a StackProfile's columns: what normalize() and check() agree on.
#pragma once

#include "pgo/profile/stack_profile.h"

namespace pgo {

// Texts before numbers, each by key; values of one key keep their order. O(n log n).
void sort_labels(std::span<StackLabel> set, const StringTable& strings);

// The profile in its canonical form; see StackProfile::normalize().
StackProfile in_canonical_order(const StackProfile& profile);

}  // namespace pgo
