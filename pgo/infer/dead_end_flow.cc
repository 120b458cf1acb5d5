#include "pgo/infer/dead_end_flow.h"

#include <algorithm>

namespace pgo::infer {
namespace {

// Densities of the samples in blocks of one binary. That of a dead end becomes the largest of it
// and those that it leads to.
class Densities {
 public:
  Densities(const std::vector<ControlFlowGraph>& graphs,
            const std::vector<InstructionSamples>& samples,
            const std::vector<FunctionCalls>& calls);

  FlowLimits limit(size_t graph) const;

 private:
  double behind(size_t graph, size_t edge) const;
  double at(ElfAddr addr) const;
  void look_behind(size_t graph);

  const std::vector<ControlFlowGraph>& graphs_;
  std::vector<std::vector<double>> blocks_;     // of each graph
  std::vector<std::vector<OptElfAddr>> exits_;  // of each graph: where its edges leave it for
};

Densities::Densities(const std::vector<ControlFlowGraph>& graphs,
                     const std::vector<InstructionSamples>& samples,
                     const std::vector<FunctionCalls>& calls)
    : graphs_(graphs) {
  for (size_t g = 0; g < graphs.size(); g++) {
    const ControlFlowGraph& graph = graphs[g];
    std::vector<double>& densities = blocks_.emplace_back(add_up_blocks(graph, samples[g]));
    std::vector<OptElfAddr>& exits = exits_.emplace_back(graph.edges.size());
    for (size_t b = 0; b < densities.size(); b++) densities[b] /= graph.blocks[b].count;
    for (size_t c = 0; c < graph.calls.size(); c++) {
      const CallSite& site = graph.calls[c];
      if (site.edge)
        exits[*site.edge] = site.callee;
      else if (!calls.empty() && !calls[g][c].targets.empty())
        densities[site.block] = kNoLimit;
    }
  }
  // A part may lead to another part of the same function: the second round sees through the first.
  for (int round = 0; round < 2; round++)
    for (size_t g = 0; g < graphs.size(); g++) look_behind(g);
}

double Densities::at(ElfAddr addr) const {
  const ControlFlowGraph* graph = find_graph(graphs_, addr);
  if (graph == nullptr) return 0;
  const std::optional<uint32_t> instruction = graph->instruction_starting_at(addr);
  if (!instruction) return 0;
  return blocks_[static_cast<size_t>(graph - graphs_.data())][graph->block_of(*instruction)];
}

double Densities::behind(size_t graph, size_t edge) const {
  const Edge& way = graphs_[graph].edges[edge];
  if (way.kind != Edge::kExit) return blocks_[graph][way.target];
  return exits_[graph][edge] ? at(*exits_[graph][edge]) : 0;
}

void Densities::look_behind(size_t graph) {
  const ControlFlowGraph& g = graphs_[graph];
  for (uint32_t block : g.dead_ends)
    for (size_t e = g.first_edge_of(block); e < g.edges.size() && g.edges[e].source == block; e++)
      blocks_[graph][block] = std::max(blocks_[graph][block], behind(graph, e));
}

FlowLimits Densities::limit(size_t graph) const {
  const ControlFlowGraph& g = graphs_[graph];
  FlowLimits limits{std::vector<double>(g.blocks.size(), kNoLimit),
                    std::vector<double>(g.edges.size(), kNoLimit)};
  for (uint32_t block : g.dead_ends) limits.blocks[block] = blocks_[graph][block];
  for (size_t e = 0; e < g.edges.size(); e++)
    if (g.edges[e].to_dead_end)
      limits.edges[e] = behind(graph, e);
    else if (limits.blocks[g.edges[e].source] == 0)
      limits.edges[e] = 0;  // nothing gets here: how it would go on need not be fitted
  return limits;
}

}  // namespace

std::vector<FlowLimits> find_flow_limits(const std::vector<ControlFlowGraph>& graphs,
                                         const std::vector<InstructionSamples>& samples,
                                         const std::vector<FunctionCalls>& calls) {
  Densities densities(graphs, samples, calls);
  std::vector<FlowLimits> limits;
  for (size_t g = 0; g < graphs.size(); g++) limits.push_back(densities.limit(g));
  return limits;
}

}  // namespace pgo::infer
