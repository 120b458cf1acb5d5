// Traces of one binary as counts: how often instructions ran and branches were taken, and the flow
// through a control-flow graph that this is. Branches that are not among the traces fall through.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "pgo/infer/inferred_counts.h"
#include "tests/bench/block_quality.h"

namespace pgo::infer {

class TraceCounts {
 public:
  // Of a file of pre-aggregated traces (converters/preaggregated).
  static Result<TraceCounts> read(const char* path);

  explicit TraceCounts(const std::vector<Trace>& traces);

  // The first instructions of straight-line code.
  const Counts& begins() const { return begins_; }
  // Where branches and calls from `from` went, and how often.
  std::map<ElfAddr, double> targets(ElfAddr from) const;
  double ran(ElfAddr addr) const;
  double branched(ElfAddr from, ElfAddr to) const;
  // Blocks and edges as the traces have them.
  FunctionFlow flow(const ControlFlowGraph& graph) const;

 private:
  Counts begins_;
  Counts steps_;  // from there on, so often
  std::map<std::pair<ElfAddr, ElfAddr>, double> branches_;
};

// The graphs of all functions that have straight-line code in any of `files`; the flows mean
// nothing yet.
Result<InferredCounts> find_functions(const ElfImage& image, const std::vector<TraceCounts>& files);

}  // namespace pgo::infer
