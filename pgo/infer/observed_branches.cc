#include "pgo/infer/observed_branches.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pgo::infer {
namespace {

// The way that the branch at the end of `block` took to `to`, which may be in another function.
std::optional<size_t> find_taken(const ControlFlowGraph& graph, uint32_t block, OptElfAddr to) {
  const std::optional<uint32_t> target = to ? graph.block_starting_at(*to) : std::nullopt;
  const bool leaves = !to || *to < graph.function.begin || *to >= graph.function.end;
  for (size_t e = graph.first_edge_of(block);
       e < graph.edges.size() && graph.edges[e].source == block; e++) {
    const Edge& edge = graph.edges[e];
    if (edge.kind == Edge::kFallThrough) continue;
    if (edge.kind == Edge::kExit ? leaves : target && edge.target == *target) return e;
  }
  return std::nullopt;
}

void count_fall_throughs(const ControlFlowGraph& graph, ElfAddr first, ElfAddr last, double count,
                         EdgeCounts& counts) {
  for (uint32_t block = graph.block_ending_from(first);
       block < graph.blocks.size() && graph.last_address_of(block) < last; block++)
    for (size_t e = graph.first_edge_of(block);
         e < graph.edges.size() && graph.edges[e].source == block; e++)
      if (graph.edges[e].kind == Edge::kFallThrough) counts[e] += count;
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
      const uint32_t block = graph->block_ending_from(*trace.from);
      const bool is_end =
          block < graph->blocks.size() && graph->last_address_of(block) == *trace.from;
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

std::vector<RecordedCall> calls_in(const std::vector<ControlFlowGraph>& graphs,
                                   const std::vector<Trace>& traces, double scale) {
  std::vector<RecordedCall> calls;
  for (const Trace& trace : traces) {
    if (trace.reading == TraceReading::kBolt || !trace.from || !trace.to) continue;
    const ControlFlowGraph* caller = find_graph(graphs, *trace.from);
    const ControlFlowGraph* callee = find_graph(graphs, *trace.to);
    if (caller == nullptr || callee == nullptr || callee->function.begin != *trace.to) continue;
    const std::optional<uint32_t> from = caller->instruction_starting_at(*trace.from);
    const std::optional<uint32_t> call = from ? caller->call_by(*from) : std::nullopt;
    if (!call) continue;
    const double count = std::min(std::round(static_cast<double>(trace.count) * scale), 1e18);
    RecordedCall one{{}, *trace.to, static_cast<uint64_t>(count)};
    if (caller->instructions[*from].is_call())
      one.place = CallPlace{static_cast<size_t>(caller - graphs.data()), *call};
    calls.push_back(one);
  }
  return calls;
}

}  // namespace pgo::infer
