// Flows as traces. A processor's branch records tell which branch was taken and what ran straight
// after it; the same is made here of counts of blocks and edges. Straight-line code is walked in
// the order of addresses with the runs that are under way in it: they begin where a branch or a
// call arrives, and end where one leaves. Which run that arrived here leaves there a flow does not
// say: those that began first end first.

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "pgo/infer/inferred_counts.h"

namespace pgo::infer {
namespace {

// Resolution of counts: what one sample per average instruction becomes. Only ratios matter.
constexpr double kCountOfSample = 1000;

uint64_t to_count(double flow) {
  constexpr double kMax = 1e18;
  return static_cast<uint64_t>(std::llround(std::min(kCountOfSample * flow, kMax)));
}

struct Arrival {
  OptElfAddr from;
  ElfAddr to;
  uint64_t count = 0;
};

// Where each function is entered from.
using Calls = std::map<ElfAddr, std::vector<Arrival>>;

Calls find_calls(const std::vector<InferredFunction>& functions) {
  Calls calls;
  for (const InferredFunction& function : functions)
    for (size_t c = 0; c < function.graph.calls.size(); c++) {
      const CallSite& site = function.graph.calls[c];
      double flow = site.edge ? function.flow.edges[*site.edge] : function.flow.blocks[site.block];
      ElfAddr from = function.graph.instructions[site.instruction].addr;
      auto add = [&](ElfAddr callee, double share) {
        if (uint64_t count = to_count(share * flow)) calls[callee].push_back({from, callee, count});
      };
      if (site.callee)
        add(*site.callee, 1);
      else
        for (const CallTarget& target : function.calls[c].targets) add(target.entry, target.share);
    }
  return calls;
}

// Walks one function's blocks in the order of addresses, with the runs that are under way.
class FunctionTraces {
 public:
  FunctionTraces(const InferredFunction& function, std::vector<Trace>& traces)
      : graph_(function.graph), flow_(function.flow), traces_(traces) {
    jumps_.resize(graph_.blocks.size());
    falls_.resize(graph_.blocks.size());
    for (size_t e = 0; e < graph_.edges.size(); e++) {
      const Edge& edge = graph_.edges[e];
      if (edge.kind == Edge::kExit) continue;
      uint64_t count = to_count(flow_.edges[e]);
      if (edge.kind == Edge::kFallThrough)
        falls_[edge.source] = count;
      else
        jumps_[edge.target].push_back({last_of(edge.source).addr, first_of(edge.target), count});
    }
  }

  void walk(const std::vector<Arrival>& calls) {
    for (uint32_t block = 0; block < graph_.blocks.size(); block++) {
      enter(block, block == 0 ? calls : std::vector<Arrival>());
      pass_calls(block);
      leave(block);
    }
    end_runs(graph_.instructions.back().addr, under_way_);
  }

 private:
  const Instruction& last_of(uint32_t block) const {
    return graph_.instructions[graph_.blocks[block].first + graph_.blocks[block].count - 1];
  }
  ElfAddr first_of(uint32_t block) const {
    return graph_.instructions[graph_.blocks[block].first].addr;
  }
  uint64_t count_of(uint32_t block) const { return to_count(flow_.blocks[block]); }

  void begin_run(const Arrival& arrival) {
    if (arrival.count == 0) return;
    runs_.push_back(arrival);
    under_way_ += arrival.count;
  }
  // `count` runs end with the instruction `last`.
  void end_runs(ElfAddr last, uint64_t count) {
    under_way_ -= count;
    while (count > 0) {
      Arrival& run = runs_.front();
      uint64_t ended = std::min(count, run.count);
      traces_.push_back({run.from, run.to, last, TraceReading::kBoth, ended});
      run.count -= ended;
      count -= ended;
      if (run.count == 0) runs_.pop_front();
    }
  }

  // By rounding, or by calls that the model doubted, more may arrive than the block's count: of
  // those only the branch counts. Fewer: the others come from who knows where.
  void enter(uint32_t block, const std::vector<Arrival>& calls) {
    for (const Arrival& arrival : jumps_[block]) arrive(block, arrival);
    for (const Arrival& arrival : calls) arrive(block, arrival);
    begin_run({{}, first_of(block), missing_in(block)});
  }
  void arrive(uint32_t block, Arrival arrival) {
    uint64_t placed = std::min(arrival.count, missing_in(block));
    if (placed < arrival.count)
      traces_.push_back(
          {arrival.from, arrival.to, {}, TraceReading::kBoth, arrival.count - placed});
    arrival.count = placed;
    begin_run(arrival);
  }
  uint64_t missing_in(uint32_t block) const {
    return count_of(block) - std::min(count_of(block), under_way_);
  }

  // A call interrupts: what runs behind it has arrived by a return.
  void pass_calls(uint32_t block) {
    const Block& extent = graph_.blocks[block];
    for (uint32_t i = extent.first; i + 1 < extent.first + extent.count; i++) {
      if (!graph_.instructions[i].is_call()) continue;
      end_runs(graph_.instructions[i].addr, under_way_);
      begin_run({{}, graph_.instructions[i + 1].addr, count_of(block)});
    }
  }

  // What does not fall into the next block ends, and so does what would be too much for it.
  void leave(uint32_t block) {
    const Instruction& last = last_of(block);
    uint64_t on = last.is_call() ? 0 : std::min(under_way_, falls_[block]);
    if (block + 1 < graph_.blocks.size()) on = std::min(on, count_of(block + 1));
    end_runs(last.addr, under_way_ - on);
  }

  const ControlFlowGraph& graph_;
  const FunctionFlow& flow_;
  std::vector<Trace>& traces_;
  std::vector<std::vector<Arrival>> jumps_;  // into each block
  std::vector<uint64_t> falls_;              // out of each block
  std::deque<Arrival> runs_;
  uint64_t under_way_ = 0;
};

}  // namespace

BinaryCounts InferredCounts::to_traces() const {
  BinaryCounts counts;
  Calls calls = find_calls(functions);
  for (const InferredFunction& function : functions)
    FunctionTraces(function, counts.traces).walk(calls[function.graph.function.begin]);
  counts.normalize();
  return counts;
}

}  // namespace pgo::infer
