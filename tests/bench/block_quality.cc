#include "tests/bench/block_quality.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace pgo::infer {

std::vector<PcSample> read_counts(const char* path) {
  std::vector<PcSample> counts;
  std::ifstream in(path);
  uint64_t addr = 0, count = 0;
  while (in >> std::hex >> addr >> std::dec >> count)
    counts.push_back({ElfAddr{addr}, count, count});
  std::sort(counts.begin(), counts.end(),
            [](const PcSample& a, const PcSample& b) { return a.pc < b.pc; });
  return counts;
}

double at(const Counts& counts, ElfAddr addr) {
  auto found = counts.find(addr);
  return found == counts.end() ? 0 : found->second;
}

std::vector<double> exact_blocks(const ControlFlowGraph& graph, const Counts& exact) {
  std::vector<double> blocks;
  for (const Block& block : graph.blocks)
    blocks.push_back(at(exact, graph.instructions[block.first].addr));
  return blocks;
}

double find_wrong_ways(const InferredCounts& inferred, const Counts& exact) {
  constexpr double kBiased = .2;
  double wrong = 0, biased = 0;
  for (const InferredFunction& function : inferred.functions) {
    const ControlFlowGraph& graph = function.graph;
    std::vector<double> truth = exact_blocks(graph, exact);
    std::vector<std::vector<size_t>> outs(truth.size());
    std::vector<unsigned> ins(truth.size());
    for (size_t e = 0; e < graph.edges.size(); e++) {
      outs[graph.edges[e].source].push_back(e);
      if (graph.edges[e].kind != Edge::kExit) ins[graph.edges[e].target]++;
    }
    for (size_t b = 0; b < truth.size(); b++) {
      if (outs[b].size() != 2 || truth[b] == 0) continue;
      auto only_way = std::find_if(outs[b].begin(), outs[b].end(), [&](size_t e) {
        const Edge& edge = graph.edges[e];
        return edge.kind != Edge::kExit && edge.target != 0 && ins[edge.target] == 1;
      });
      if (only_way == outs[b].end()) continue;
      double p = truth[graph.edges[*only_way].target] / truth[b];
      double flow = function.flow.blocks[b];
      double q = flow > 0 ? function.flow.edges[*only_way] / flow : .5;
      if (std::abs(p - .5) <= kBiased) continue;
      biased += truth[b];
      if ((p > .5) != (q > .5)) wrong += truth[b];
    }
  }
  return wrong / std::max(biased, 1.0);
}

double find_dead_end_flow(const InferredCounts& inferred, const Counts& exact) {
  double wrong = 0, all = 0;
  for (const InferredFunction& function : inferred.functions) {
    const ControlFlowGraph& graph = function.graph;
    std::vector<OptElfAddr> exits(graph.edges.size());
    for (const CallSite& call : graph.calls)
      if (call.edge) exits[*call.edge] = call.callee;
    for (size_t e = 0; e < graph.edges.size(); e++) {
      const Edge& edge = graph.edges[e];
      if (!edge.to_dead_end) continue;
      OptElfAddr to = exits[e];
      if (edge.kind != Edge::kExit) to = graph.instructions[graph.blocks[edge.target].first].addr;
      if (!to || at(exact, *to) != 0) continue;
      wrong += function.flow.edges[e];
      all += function.flow.blocks[edge.source];
    }
  }
  return all > 0 ? wrong / all : 0;
}

Quality compare(const InferredCounts& inferred, const Counts& exact) {
  double estimated = 0, ran = 0;
  std::vector<std::pair<double, double>> blocks;
  for (const InferredFunction& function : inferred.functions) {
    std::vector<double> truth = exact_blocks(function.graph, exact);
    for (size_t b = 0; b < truth.size(); b++) {
      double n = function.graph.blocks[b].count;
      blocks.emplace_back(function.flow.blocks[b] * n, truth[b] * n);
      estimated += blocks.back().first;
      ran += blocks.back().second;
    }
  }
  Quality quality;
  for (auto [estimate, truth] : blocks) {
    double a = estimate / estimated, b = truth / ran;
    quality.overlap += std::min(a, b);
    if (a < b / 100) quality.cold_miss += b;
  }
  return quality;
}

}  // namespace pgo::infer
