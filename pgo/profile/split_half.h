// How converged a profile is: its samples are divided by chance into two halves, as if two
// collections had been made, and the halves are compared. Where they agree, more samples would
// change little.
//
// By chance, but always the same: each sample's side is a bit of a hash of its key and its number.
// For large counts a normal variable stands for that many bits.
#pragma once

#include <utility>

#include "pgo/profile/address_profile.h"

namespace pgo {

// Two parts that add up to `counts`, entry by entry; entries stay where they are and may be 0.
// `weight`: what one sample weighs in ips and calls (traces and mispredicts weigh 1). O(entries).
std::pair<BinaryCounts, BinaryCounts> split_in_halves(const BinaryCounts& counts, double weight);

// What two executions of one binary have in common: of each byte of code the lesser of its shares
// in all executed bytes, 0 to 1. 0 when nothing ran. O(n log n) for n traces.
double executed_overlap(const BinaryCounts& a, const BinaryCounts& b);

}  // namespace pgo
