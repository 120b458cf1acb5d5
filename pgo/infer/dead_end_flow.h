// From samples to the flow that they show into dead ends: blocks from which every path ends in a
// call that never returns (control_flow_graph.h).
//
// Problem: error paths are short, and so are return blocks. Where neither has a sample, the
// likelihood prefers the shorter of the two, since fewer instructions without samples speak against
// its having run. All flow of a function then goes into its call of __stack_chk_fail.
// Prior: a program that fails does not go on, so failures are rare. A dead end ran as often as the
// samples behind it show, and not at all without any. What the rest of the function would gain from
// sending more flow there does not count. LLVM's heuristics give branches to such calls next to no
// probability either (2^-20).
// Samples decide: a program that throws often has samples where it throws.
//
// Landing pads are not reached by edges: each is a source of its graph, with a prior of its own
// (function_model.h).
#pragma once

#include <vector>

#include "pgo/infer/initial_flow.h"
#include "pgo/infer/observed_calls.h"

namespace pgo::infer {

// For each of `graphs`, which are sorted by address. The limit is the largest density of samples in
// the dead ends behind, those in a part that was split off the function (f.cold) included. Where a
// stack was sampled below a dead end there is no limit: it ran, but how often is not known. O(edges
// * log of code).
std::vector<FlowLimits> find_flow_limits(const std::vector<ControlFlowGraph>& graphs,
                                         const std::vector<InstructionSamples>& samples,
                                         const std::vector<FunctionCalls>& calls);

}  // namespace pgo::infer
