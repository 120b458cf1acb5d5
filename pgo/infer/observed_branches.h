// ObservedBranches: what branch records say about code that was sampled, too: how often each way
// out of a block was taken, and what its calls called.
//
// A few records tell for each branch which way it goes, which samples show only by what ran behind
// it; many samples tell which code is hot. So records are evidence of probabilities here
// (function_model.h), and not of how often a block ran.
#pragma once

#include <vector>

#include "pgo/infer/control_flow_graph.h"
#include "pgo/infer/observed_calls.h"
#include "pgo/profile/address_profile.h"

namespace pgo::infer {

// By edge of a graph, in branch records. Empty: no records are used.
using EdgeCounts = std::vector<double>;

// For each of `graphs`, which are sorted by address. `weight`: what one record weighs in the counts
// of `traces`. O(traces * log of code, and the blocks that they run through).
std::vector<EdgeCounts> observe_branches(const std::vector<ControlFlowGraph>& graphs,
                                         const std::vector<Trace>& traces, double weight);

// The calls in `traces` from one of `graphs` to another. `scale`: the count of a call for each of a
// trace's. O(traces * log of code).
std::vector<RecordedCall> calls_in(const std::vector<ControlFlowGraph>& graphs,
                                   const std::vector<Trace>& traces, double scale);

}  // namespace pgo::infer
