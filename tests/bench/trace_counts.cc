#include "tests/bench/trace_counts.h"

#include <algorithm>

#include "converters/preaggregated/preaggregated.h"
#include "pgo/base/mapped_file.h"

namespace pgo::infer {

Result<TraceCounts> TraceCounts::read(const char* path) {
  PGO_TRY(MappedFile file, MappedFile::open(path));
  PGO_TRY(PreaggregatedProfile profile, parse_preaggregated(file.bytes(), path));
  return TraceCounts(profile.counts.traces);
}

TraceCounts::TraceCounts(const std::vector<Trace>& traces) {
  for (const Trace& trace : traces) {
    auto count = static_cast<double>(trace.count);
    if (trace.from && trace.to) branches_[{*trace.from, *trace.to}] += count;
    if (!trace.to || !trace.last) continue;
    begins_[*trace.to] += count;
    steps_[*trace.to] += count;
    steps_[ElfAddr{(*trace.last).value + 1}] -= count;
  }
  double sum = 0;
  for (auto& [addr, step] : steps_) step = sum += step;
}

std::map<ElfAddr, double> TraceCounts::targets(ElfAddr from) const {
  std::map<ElfAddr, double> found;
  for (auto at = branches_.lower_bound({from, ElfAddr{0}});
       at != branches_.end() && at->first.first == from; ++at)
    found[at->first.second] = at->second;
  return found;
}

double TraceCounts::ran(ElfAddr addr) const {
  auto after = steps_.upper_bound(addr);
  return after == steps_.begin() ? 0 : std::prev(after)->second;
}

double TraceCounts::branched(ElfAddr from, ElfAddr to) const {
  auto found = branches_.find({from, to});
  return found == branches_.end() ? 0 : found->second;
}

FunctionFlow TraceCounts::flow(const ControlFlowGraph& graph) const {
  auto first = [&](uint32_t block) { return graph.instructions[graph.blocks[block].first].addr; };
  FunctionFlow flow;
  for (uint32_t b = 0; b < graph.blocks.size(); b++) flow.blocks.push_back(ran(first(b)));
  flow.edges.resize(graph.edges.size());
  std::vector<double> left = flow.blocks;
  std::vector<OptElfAddr> exits(graph.edges.size());
  for (const CallSite& call : graph.calls)
    if (call.edge) exits[*call.edge] = call.callee;
  for (size_t e = 0; e < graph.edges.size(); e++) {
    const Edge& edge = graph.edges[e];
    const Block& source = graph.blocks[edge.source];
    ElfAddr from = graph.instructions[source.first + source.count - 1].addr;
    OptElfAddr to = exits[e];
    if (edge.kind == Edge::kTaken || edge.kind == Edge::kSwitch) to = first(edge.target);
    flow.edges[e] = to ? branched(from, *to) : 0;
    left[edge.source] -= flow.edges[e];
  }
  for (size_t e = 0; e < graph.edges.size(); e++)
    if (graph.edges[e].kind == Edge::kFallThrough)
      flow.edges[e] = std::max(0.0, left[graph.edges[e].source]);
  return flow;
}

Result<InferredCounts> find_functions(const ElfImage& image,
                                      const std::vector<TraceCounts>& files) {
  Counts begins;
  for (const TraceCounts& traces : files)
    begins.insert(traces.begins().begin(), traces.begins().end());
  BinaryCounts there;
  for (auto [addr, count] : begins) there.pc_samples.push_back({addr, 1, 1});
  InferOptions options;
  options.estimator = Estimator::kFlow;  // the quick one: what counts is the graphs
  return infer_counts(image, image, there, options);
}

}  // namespace pgo::infer
