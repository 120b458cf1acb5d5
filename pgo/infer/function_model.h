// FunctionModel: how likely samples are, given how a function ran; the part of ExecutionModel that
// concerns one function.
//
// Unknown are how often each source of the control-flow graph is entered, as a logarithm, and for
// every block with several ways out how control chooses, as a logit for each (softmax). From them
// follows the flow f through all blocks, one sparse linear system:
//
//     f = E + (1 - 1e-9) P^T f
//
// (without the 1e-9 a function that never ends would have no solution).
//
// The cost of a flow, in the terms of J (see execution_model.h), that are of this function alone:
//
//     0.3 sum (S + k) log(f tau + k) - S log(f tau)       S samples of an instruction, negative
//                                                         binomial with mean f tau, dispersion k.
//                                                         0.3: those of a block are not independent
//     sum (z - z0)^2 / (2 s^2)                            weak prior of logits: loops repeat, and
//                                                         forward branches fall through, as far
//                                                         as the layout shows (see Layout)
//     0.1 sum x^2 / (x + cap), x = max(0, u n f - cap)    n instructions take n/8 cycles at least:
//                                                         a block with few samples cannot have run
//                                                         very often. Without it loops that nothing
//                                                         was sampled in run away
//     2 sum (sqrt(1 + d^2) - 1), d = max(0, log(p / p0))
//                                                         p is the probability of an edge to a dead
//                                                         end, p0 the one that the samples behind
//                                                         it show (dead_end_flow.h). Edges without
//                                                         such samples have p = 0 and no logit
//     0.02 sum E of the sources that are not the entry    landing pads are rarely entered
//     - sum n log(p)                                      n branch records that went the way of
//                                                         probability p (observed_branches.h)
//     sum (a + 4) log(f tau + 4) - a log(f tau)           a samples at the first instruction of
//     what a
//                                                         call of this function calls, tau that of
//                                                         first instructions (entry constraint)
#pragma once

#include <span>
#include <vector>

#include "pgo/infer/cost_class.h"
#include "pgo/infer/initial_flow.h"
#include "pgo/infer/observed_branches.h"
#include "pgo/infer/observed_calls.h"
#include "pgo/infer/sparse_lu.h"

namespace pgo::infer {

// What one instruction, or several alike, say about how often their block ran.
struct Evidence {
  double samples = 0, tau = 0, dispersion = 0, weight = 0;
};

// What decided which way of a forward branch falls through: the compiler's heuristics, or a
// profile. By a profile it is nearly always the way that runs: on Lua, 94 % of the executions of
// such branches in a build with a profile are of branches that fall through at least 80 times out
// of 100, and 68 % without one. Short blocks have few samples that show the way, so it matters that
// the layout does. z0 of fall-throughs is 5, and s is 4 then, instead of 0.4 and 12.
enum class Layout : uint8_t { kByHeuristics, kByProfile };

class FunctionModel {
 public:
  // `costs` are scaled so that the average instruction of the binary costs 1; `unit` is u above.
  // `branches`: by edge, or empty. `graph` must outlive this.
  FunctionModel(const ControlFlowGraph& graph, const InstructionSamples& samples,
                const FlowLimits& limits, const FunctionCalls& calls, const CostTable& costs,
                const EdgeCounts& branches, double unit, Layout layout);

  const ControlFlowGraph& graph() const { return *graph_; }
  // The linear system is too dense to be solved: the start is the answer.
  bool is_too_dense() const { return flow_system_.is_too_dense(); }
  // Unknowns: logarithms of sources, in the order of the graph's, then logits.
  size_t parameter_count() const { return graph_->sources.size() + logit_edges_.size(); }
  // Where to start from, and what probabilities of edges to dead ends are compared with.
  std::vector<double> start(const Flow& flow);

  // Sets the flow from the unknowns. O(entries of the factors).
  void set_parameters(std::span<const double> parameters);
  const std::vector<double>& flow() const { return flow_; }  // of blocks
  double edge_flow(uint32_t edge) const;
  double call_flow(const CallSite& site) const {
    return site.edge ? edge_flow(*site.edge) : flow_[site.block];
  }

  // The cost of what was set, and its gradient in `gradient`. `call_slopes` says, for each of the
  // graph's calls, what the cost of the whole program gains with each call.
  double evaluate(std::span<const double> parameters, std::span<const double> call_slopes,
                  std::span<double> gradient);

 private:
  void find_logits(Layout layout);
  void collect_evidence(const InstructionSamples& samples, const FunctionCalls& calls,
                        const CostTable& costs);
  double evaluate_blocks();
  double evaluate_dead_ends(size_t group, std::span<double> logit_slopes) const;
  double evaluate_branches(size_t group, std::span<double> logit_slopes) const;
  double cap_cost(uint32_t block, double& slope) const;

  const ControlFlowGraph* graph_;
  double unit_;
  std::vector<double> limits_;           // of edges: their flow without other evidence
  std::vector<uint32_t> logit_edges_;    // edges with a logit: those whose block has several
  std::vector<uint32_t> logit_groups_;   // where those of a block begin, one more at the end
  std::vector<double> prior_logits_;     // z0, of each of them
  std::vector<double> prior_variances_;  // s^2, of each group
  std::vector<double> branches_;         // records of each of them, or empty
  std::vector<double> prior_logs_;       // log p0 of each of them; 0 where there is no such prior
  std::vector<double> block_samples_;
  std::vector<Evidence> evidence_;
  std::vector<uint32_t> first_evidence_;  // of each block, one more at the end
  std::vector<double> weighted_samples_;  // of each block: sum of weight x samples
  SparseLu flow_system_;
  std::vector<size_t> places_;  // of each edge in flow_system_

  std::vector<double> probability_;  // of each edge
  std::vector<double> flow_;
  std::vector<double> slope_;  // of the cost by the flow of each block; then adjoint
};

}  // namespace pgo::infer
