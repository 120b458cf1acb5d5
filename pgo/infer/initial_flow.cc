#include "pgo/infer/initial_flow.h"

#include <llvm/Transforms/Utils/SampleProfileInference.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pgo::infer {
namespace {

// Min-cost flow takes more than linear time; beyond this it takes minutes.
constexpr size_t kMaxBlocks = 10'000;
// Flows are integers: so many units are one sample per instruction.
constexpr double kUnitsOfFlow = 1000;
// Of one block; those of all blocks together stay below 2^63, as LLVM adds them up.
constexpr double kMostUnits = 1e14;

uint64_t to_units(double flow) {
  return static_cast<uint64_t>(std::llround(std::min(kUnitsOfFlow * flow, kMostUnits)));
}

std::vector<bool> find_reached(size_t blocks, const std::vector<uint32_t>& roots,
                               const std::vector<std::vector<uint32_t>>& next) {
  std::vector<bool> reached(blocks);
  std::vector<uint32_t> left;
  auto reach = [&](uint32_t block) {
    if (reached[block]) return;
    reached[block] = true;
    left.push_back(block);
  };
  for (uint32_t root : roots) reach(root);
  while (!left.empty()) {
    uint32_t block = left.back();
    left.pop_back();
    for (uint32_t n : next[block]) reach(n);
  }
  return reached;
}

// The blocks on a way from the entry to where control leaves the function.
std::vector<bool> find_blocks_on_ways(const ControlFlowGraph& graph) {
  size_t count = graph.blocks.size();
  std::vector<std::vector<uint32_t>> after(count), before(count);
  std::vector<bool> leaves(count, true);
  for (const Edge& edge : graph.edges) {
    if (edge.kind == Edge::kExit) continue;
    after[edge.source].push_back(edge.target);
    before[edge.target].push_back(edge.source);
    leaves[edge.source] = false;
  }
  for (const Edge& edge : graph.edges)
    if (edge.kind == Edge::kExit) leaves[edge.source] = true;
  std::vector<uint32_t> exits;
  for (uint32_t b = 0; b < count; b++)
    if (leaves[b]) exits.push_back(b);
  std::vector<bool> used = find_reached(count, {0}, after),
                    leaving = find_reached(count, exits, before);
  for (size_t b = 0; b < count; b++) used[b] = used[b] && leaving[b];
  return used;
}

// Those of LLVM's sample profiles for blocks. Of jumps only those with a limit cost anything: so
// much beyond it that nothing in a function is worth it, unless there is no other way out.
llvm::ProfiParams flow_costs() {
  llvm::ProfiParams costs;
  costs.EvenFlowDistribution = costs.RebalanceUnknown = costs.JoinIslands = true;
  costs.CostBlockInc = 10;
  costs.CostBlockDec = 20;
  costs.CostBlockEntryInc = 40;
  costs.CostBlockEntryDec = 10;
  costs.CostBlockZeroInc = 11;
  costs.CostJumpInc = costs.CostJumpFTInc = 1'000'000;
  return costs;
}

}  // namespace

std::vector<double> add_up_blocks(const ControlFlowGraph& graph,
                                  const InstructionSamples& samples) {
  std::vector<double> blocks(graph.blocks.size());
  for (size_t b = 0; b < blocks.size(); b++) {
    auto first = samples.begin() + graph.blocks[b].first;
    blocks[b] = std::accumulate(first, first + graph.blocks[b].count, 0.0);
  }
  return blocks;
}

Flow estimate_flow(const ControlFlowGraph& graph, const InstructionSamples& samples,
                   const FlowLimits& limits) {
  std::vector<double> block_samples = add_up_blocks(graph, samples);
  size_t count = graph.blocks.size();
  Flow flow{std::vector<double>(count), std::vector<double>(graph.edges.size())};
  std::vector<bool> used = find_blocks_on_ways(graph);
  if (count > kMaxBlocks || !used[0]) return flow;

  // LLVM wants an entry that nothing jumps to, and exits without a way on: two kinds of blocks
  // more.
  llvm::FlowFunction function;
  std::vector<uint64_t> number(count);
  auto add_block = [&](llvm::FlowBlock block) {
    block.Index = function.Blocks.size();
    function.Blocks.push_back(block);
    return block.Index;
  };
  llvm::FlowBlock unknown;
  unknown.HasUnknownWeight = true;
  uint64_t entry = add_block(unknown);
  for (uint32_t b = 0; b < count; b++) {
    if (!used[b]) continue;
    llvm::FlowBlock block;
    block.Weight = to_units(block_samples[b] / graph.blocks[b].count);
    block.HasUnknownWeight = false;
    number[b] = add_block(block);
  }
  auto add_jump = [&](uint64_t from, uint64_t to, double limit) {
    llvm::FlowJump jump;
    jump.Source = from;
    jump.Target = to;
    jump.HasUnknownWeight = limit == kNoLimit;
    jump.IsUnlikely = limit == 0;
    if (limit != kNoLimit) jump.Weight = to_units(limit);
    function.Jumps.push_back(jump);
  };
  add_jump(entry, number[0], kNoLimit);
  std::vector<size_t> jump_of(graph.edges.size(), 0);  // 0: of none
  for (size_t e = 0; e < graph.edges.size(); e++) {
    const Edge& edge = graph.edges[e];
    if (!used[edge.source] || (edge.kind != Edge::kExit && !used[edge.target])) continue;
    jump_of[e] = function.Jumps.size();
    uint64_t target = edge.kind == Edge::kExit ? add_block(unknown) : number[edge.target];
    add_jump(number[edge.source], target, limits.edges[e]);
  }
  for (llvm::FlowJump& jump : function.Jumps) {
    function.Blocks[jump.Source].SuccJumps.push_back(&jump);
    function.Blocks[jump.Target].PredJumps.push_back(&jump);
  }
  function.Entry = entry;
  llvm::applyFlowInference(flow_costs(), function);

  for (uint32_t b = 0; b < count; b++)
    if (used[b])
      flow.blocks[b] = static_cast<double>(function.Blocks[number[b]].Flow) / kUnitsOfFlow;
  for (size_t e = 0; e < graph.edges.size(); e++)
    if (jump_of[e] != 0)
      flow.edges[e] = static_cast<double>(function.Jumps[jump_of[e]].Flow) / kUnitsOfFlow;
  return flow;
}

}  // namespace pgo::infer
