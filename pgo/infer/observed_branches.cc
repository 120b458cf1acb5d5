#include "pgo/infer/observed_branches.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pgo::infer {
namespace {

const ControlFlowGraph* find_graph(const std::vector<ControlFlowGraph>& graphs, ElfAddr addr) {
  auto after = std::upper_bound(
      graphs.begin(), graphs.end(), addr,
      [](ElfAddr a, const ControlFlowGraph& graph) { return a < graph.function.begin; });
  return after == graphs.begin() ? nullptr : &*std::prev(after);
}

ElfAddr first_of(const ControlFlowGraph& graph, const Block& block) {
  return graph.instructions[block.first].addr;
}
ElfAddr last_of(const ControlFlowGraph& graph, const Block& block) {
  return graph.instructions[block.first + block.count - 1].addr;
}

// The first block whose last instruction is at `addr` or behind it; there may be none.
uint32_t block_ending_from(const ControlFlowGraph& graph, ElfAddr addr) {
  auto found =
      std::lower_bound(graph.blocks.begin(), graph.blocks.end(), addr,
                       [&](const Block& block, ElfAddr a) { return last_of(graph, block) < a; });
  return static_cast<uint32_t>(found - graph.blocks.begin());
}

std::optional<uint32_t> block_beginning_at(const ControlFlowGraph& graph, ElfAddr addr) {
  auto found =
      std::lower_bound(graph.blocks.begin(), graph.blocks.end(), addr,
                       [&](const Block& block, ElfAddr a) { return first_of(graph, block) < a; });
  if (found == graph.blocks.end() || first_of(graph, *found) != addr) return std::nullopt;
  return static_cast<uint32_t>(found - graph.blocks.begin());
}

// The way that the branch at the end of `block` took to `to`, which may be in another function.
std::optional<size_t> find_taken(const ControlFlowGraph& graph, uint32_t block, OptElfAddr to) {
  const std::optional<uint32_t> target = to ? block_beginning_at(graph, *to) : std::nullopt;
  for (size_t e = graph.first_edge_of(block);
       e < graph.edges.size() && graph.edges[e].source == block; e++) {
    const Edge& edge = graph.edges[e];
    if (edge.kind == Edge::kFallThrough) continue;
    if (edge.kind == Edge::kExit ? !target : target && edge.target == *target) return e;
  }
  return std::nullopt;
}

void count_fall_throughs(const ControlFlowGraph& graph, ElfAddr first, ElfAddr last, double count,
                         EdgeCounts& counts) {
  for (uint32_t block = block_ending_from(graph, first);
       block < graph.blocks.size() && last_of(graph, graph.blocks[block]) < last; block++)
    for (size_t e = graph.first_edge_of(block);
         e < graph.edges.size() && graph.edges[e].source == block; e++)
      if (graph.edges[e].kind == Edge::kFallThrough) counts[e] += count;
}

bool is_call_of(const ControlFlowGraph& graph, ElfAddr addr) {
  auto found = std::lower_bound(graph.calls.begin(), graph.calls.end(), addr,
                                [&](const CallSite& call, ElfAddr a) {
                                  return graph.instructions[call.instruction].addr < a;
                                });
  return found != graph.calls.end() && graph.instructions[found->instruction].addr == addr;
}

}  // namespace

std::vector<EdgeCounts> observe_branches(const std::vector<ControlFlowGraph>& graphs,
                                         const std::vector<Trace>& traces, double weight) {
  std::vector<EdgeCounts> all;
  for (const ControlFlowGraph& graph : graphs) all.emplace_back(graph.edges.size());
  auto counts_of = [&](const ControlFlowGraph& graph) -> EdgeCounts& {
    return all[static_cast<size_t>(&graph - graphs.data())];
  };
  for (const Trace& trace : traces) {
    // What BOLT reads otherwise than LLVM is the same code, counted a second time.
    if (trace.reading == TraceReading::kBolt) continue;
    const double count = static_cast<double>(trace.count) / weight;
    // What ran behind the newest branch of a stack is not known. So it is left out itself: else
    // branches that were taken would be counted more often than those that were not.
    if (!trace.last) continue;
    if (const auto* graph = trace.from ? find_graph(graphs, *trace.from) : nullptr) {
      const uint32_t block = block_ending_from(*graph, *trace.from);
      const bool is_end =
          block < graph->blocks.size() && last_of(*graph, graph->blocks[block]) == *trace.from;
      const std::optional<size_t> taken =
          is_end ? find_taken(*graph, block, trace.to) : std::nullopt;
      if (taken) counts_of(*graph)[*taken] += count;
    }
    if (!trace.to) continue;
    if (const auto* graph = find_graph(graphs, *trace.to))
      count_fall_throughs(*graph, *trace.to, *trace.last, count, counts_of(*graph));
  }
  return all;
}

std::vector<CallEdge> calls_in(const std::vector<ControlFlowGraph>& graphs,
                               const std::vector<Trace>& traces, double scale) {
  std::vector<CallEdge> calls;
  for (const Trace& trace : traces) {
    if (trace.reading == TraceReading::kBolt || !trace.from || !trace.to) continue;
    const ControlFlowGraph* caller = find_graph(graphs, *trace.from);
    const ControlFlowGraph* callee = find_graph(graphs, *trace.to);
    if (caller == nullptr || callee == nullptr || callee->function.begin != *trace.to) continue;
    if (!is_call_of(*caller, *trace.from)) continue;
    const double count = std::min(std::round(static_cast<double>(trace.count) * scale), 1e18);
    calls.push_back({*trace.from, *trace.to, true, static_cast<uint64_t>(count)});
  }
  return calls;
}

}  // namespace pgo::infer
