// Where fitting starts: density and flow. A block's density is its samples by its instructions; the
// flow through the function that costs least to reach from there, with LLVM's min-cost flow (the
// one its compiler uses for sample profiles, SampleProfileInference), obeys the control-flow graph.
#pragma once

#include <limits>
#include <vector>

#include "pgo/infer/control_flow_graph.h"

namespace pgo::infer {

// In samples per average instruction.
struct Flow {
  std::vector<double> blocks;
  std::vector<double> edges;
};

// The samples of one function, by instruction of its graph.
using InstructionSamples = std::vector<double>;

// The same by block.
std::vector<double> add_up_blocks(const ControlFlowGraph& graph, const InstructionSamples& samples);

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// The most flow that a function's dead ends, and its edges to them, are given for the sake of other
// blocks (dead_end_flow.h). kNoLimit for all others.
struct FlowLimits {
  std::vector<double> blocks;
  std::vector<double> edges;
};

// The zero flow for a function that control cannot leave, and for one of
// more blocks than min-cost flow is good for; blocks that cannot be reached from the entry, or from
// which control cannot leave, have none.
Flow estimate_flow(const ControlFlowGraph& graph, const InstructionSamples& samples,
                   const FlowLimits& limits);

}  // namespace pgo::infer
