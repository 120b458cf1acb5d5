// Flows as traces. A processor's branch records tell which branch was taken and what ran straight
// after it; the same is made here of counts of blocks and edges. Straight-line code is walked in
// the order of addresses with the runs that are under way in it: they begin where a branch or a
// call arrives, and end where one leaves. Which run that arrived here leaves there a flow does not
// say: those that began first end first.

#include <algorithm>
#include <cmath>
#include <deque>

#include "pgo/infer/inferred_counts.h"

namespace pgo::infer {
namespace {

// Resolution of counts: what one sample per average instruction becomes. Only ratios matter.
constexpr double kUnits = 1000;

uint64_t to_count(double flow) {
  constexpr double kMost = 1e18;
  return static_cast<uint64_t>(std::llround(std::min(kUnits * flow, kMost)));
}

struct Arrival {
  OptElfAddr from;
  ElfAddr to;
  uint64_t count = 0;
};

class TraceWriter {
 public:
  explicit TraceWriter(std::vector<Trace>& traces) : traces_(traces) {}

  uint64_t under_way() const { return under_way_; }
  void arrive(OptElfAddr from, ElfAddr to, uint64_t count) {
    if (count == 0) return;
    runs_.push_back({from, to, count});
    under_way_ += count;
  }
  // `count` of the runs end with the instruction `last`.
  void leave(ElfAddr last, uint64_t count) {
    while (count > 0 && !runs_.empty()) {
      Arrival& run = runs_.front();
      uint64_t ended = std::min(count, run.count);
      traces_.push_back({run.from, run.to, last, TraceReading::kBoth, ended});
      run.count -= ended;
      under_way_ -= ended;
      count -= ended;
      if (run.count == 0) runs_.pop_front();
    }
  }
  void leave_all(ElfAddr last) { leave(last, under_way_); }

 private:
  std::vector<Trace>& traces_;
  std::deque<Arrival> runs_;
  uint64_t under_way_ = 0;
};

}  // namespace

BinaryCounts InferredCounts::to_traces() const {
  BinaryCounts counts;
  // Who enters each function from where.
  std::map<ElfAddr, std::vector<Arrival>> calls;
  for (const InferredFunction& function : functions) {
    for (const CallSite& site : function.graph.calls) {
      if (!site.callee) continue;
      double flow = site.edge ? function.flow.edges[*site.edge] : function.flow.blocks[site.block];
      ElfAddr from = function.graph.instructions[site.instruction].addr;
      if (uint64_t count = to_count(flow))
        calls[*site.callee].push_back({from, *site.callee, count});
    }
  }
  for (const InferredFunction& function : functions) {
    const ControlFlowGraph& graph = function.graph;
    std::vector<std::vector<Arrival>> jumps(graph.blocks.size());
    std::vector<uint64_t> falls(graph.blocks.size());  // out of each block
    for (size_t e = 0; e < graph.edges.size(); e++) {
      const Edge& edge = graph.edges[e];
      if (edge.kind == Edge::kExit) continue;
      uint64_t count = to_count(function.flow.edges[e]);
      const Block& source = graph.blocks[edge.source];
      if (edge.kind == Edge::kFallThrough)
        falls[edge.source] = count;
      else
        jumps[edge.target].push_back({graph.instructions[source.first + source.count - 1].addr,
                                      graph.instructions[graph.blocks[edge.target].first].addr,
                                      count});
    }
    TraceWriter writer(counts.traces);
    for (uint32_t b = 0; b < graph.blocks.size(); b++) {
      const Block& block = graph.blocks[b];
      uint64_t count = to_count(function.flow.blocks[b]);
      ElfAddr first = graph.instructions[block.first].addr;
      // More may arrive than the block's count by rounding, or by calls that the model doubted.
      auto arrive = [&](const std::vector<Arrival>& arrivals) {
        for (const Arrival& arrival : arrivals) {
          uint64_t placed = std::min(arrival.count, count - std::min(count, writer.under_way()));
          writer.arrive(arrival.from, first, placed);
          if (placed < arrival.count)
            counts.traces.push_back(
                {arrival.from, first, {}, TraceReading::kBoth, arrival.count - placed});
        }
      };
      arrive(jumps[b]);
      if (b == 0)
        if (auto found = calls.find(graph.function.begin); found != calls.end())
          arrive(found->second);
      writer.arrive({}, first, count - std::min(count, writer.under_way()));
      // A call interrupts: what runs behind it arrived by a return.
      for (uint32_t i = block.first; i + 1 < block.first + block.count; i++) {
        if (!graph.instructions[i].is_call()) continue;
        writer.leave_all(graph.instructions[i].addr);
        writer.arrive({}, graph.instructions[i + 1].addr, count);
      }
      const Instruction& last = graph.instructions[block.first + block.count - 1];
      if (last.is_call() || falls[b] == 0) {
        writer.leave_all(last.addr);
      } else {
        uint64_t most = writer.under_way();
        writer.leave(last.addr, most - std::min(most, falls[b]));
      }
      // What falls into a block that ran less often ends in front of it.
      if (b + 1 < graph.blocks.size()) {
        uint64_t next = to_count(function.flow.blocks[b + 1]);
        if (writer.under_way() > next) writer.leave(last.addr, writer.under_way() - next);
      }
    }
    writer.leave_all(graph.instructions.back().addr);
  }
  counts.normalize();
  return counts;
}

}  // namespace pgo::infer
