// How close estimates of what ran come to exact counts, on the control-flow graphs of the functions
// that were estimated:
//
//   overlap     sum over blocks of the lesser share, estimated or exact, of executed instructions
//   cold-miss   the share of executions in blocks estimated at less than a hundredth of the truth
//   wrong-way   the share of executions of biased branches whose direction is wrong
//   dead-end    of the flow through blocks with ways to dead ends (blocks that only lead to calls
//               that never return) that never ran, the share that goes there
#pragma once

#include <map>
#include <vector>

#include "pgo/infer/inferred_counts.h"

namespace pgo::infer {

using Counts = std::map<ElfAddr, double>;

// Lines of "address count", addresses in hexadecimal; sorted.
std::vector<PcSample> read_counts(const char* path);

double at(const Counts& counts, ElfAddr addr);

// How often each block of the graph ran, by that of its first instruction.
std::vector<double> exact_blocks(const ControlFlowGraph& graph, const Counts& exact);

struct Quality {
  double overlap = 0, cold_miss = 0, wrong_way = 0, dead_end = 0, unsampled = 0, seconds = 0;
  bool has_ways = false;
};

// Of branches with two ways, one of which leads to where nothing else does: what that ran is the
// truth of the branch.
double find_wrong_ways(const InferredCounts& inferred, const Counts& exact);

double find_dead_end_flow(const InferredCounts& inferred, const Counts& exact);

// Without wrong_way and dead_end.
Quality compare(const InferredCounts& inferred, const Counts& exact);

}  // namespace pgo::infer
