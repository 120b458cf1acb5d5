// How converged a profile is: its samples are divided by chance into two halves, as if two
// collections had been made, and the halves are compared. Where they agree, more samples would
// change little.
//
// By chance, but always the same: each sample's side is a bit of a hash of its key and its number.
// For large counts a normal variable stands for that many bits.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "pgo/profile/address_profile.h"

namespace pgo {

// Two parts that add up to the PC samples, calls and traces of `counts`, entry by entry; entries
// stay where they are and may be 0. `weight`: what one sample weighs; calls keep only their
// weights. O(entries).
std::pair<BinaryCounts, BinaryCounts> split_counts(const BinaryCounts& counts, double weight);

// How much straight-line code behind its branch a trace ran, as LLVM reads the records
// (TraceReading): bytes times its count.
double executed_bytes(const Trace& trace);

// What two halves of the branch records have in common: of the code behind each taken branch the
// lesser of its shares in all executed code, 0 to 1, as LLVM reads the records (TraceReading).
// Nothing when nothing ran. O(traces).
std::optional<double> overlap_of_trace_halves(std::span<const BinaryCounts> binaries);

}  // namespace pgo
