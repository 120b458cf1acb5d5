// ExecutionModel: how a program ran, fitted to where it was sampled: the most likely flow through
// all sampled functions and their calls at once (maximum a posteriori).
//
// Problem: a sample tells time, a compiler wants executions. Time per execution differs by a factor
// of ten between instructions, and with few samples most code that ran has none.
// Idea: what ran obeys the control-flow graph, and a function is entered as often as it is called.
// So the unknowns are not counts but entries and probabilities of branches (function_model.h), and
// every flow they give is consistent; samples decide among those by how likely they are. What is of
// the whole program in the cost J:
//
//     sum w (sqrt(1 + d^2) - 1),  d = log(entries of F) - log(1e-3 + flow of the calls of F)
//
// over the functions with calls in functions that were sampled; robust, since a function may be
// called from elsewhere. w is 25, and 5 for functions that some of these calls reach indirectly, as
// stacks tell (observed_calls.h): which others do is not known. And
//
//     sum w (sqrt(1 + d^2) - 1),  d = log(1e-3 + flow of a call) - log(1e-3 + sum part * entries)
//
// over the calls that stacks were sampled through, and what each of them calls: code around a call
// can be too fast to be sampled while what it calls is. w is 5 n / (n + 10), of n samples that tell
// the parts.
//
// A program that was built with a profile shows by its layout how its branches go (Layout). Whether
// it was, the caller knows, or the samples tell: then J is minimized with the prior of each layout,
// and if the samples hardly contradict a layout by profile, that holds.
//
// J is minimized by 150 steps of L-BFGS from density and flow (initial_flow.h). It has not
// converged by then and need not have: going on fits noise, and starting elsewhere is worse.
//
// The algorithm and its constants were found by measuring overlap with exact counts; what was tried
// besides and did not help, or not enough: fitting the classes' costs to the profile itself, more
// steps, averages over resampled profiles, narrower priors, chances of branches learned from their
// conditions and shapes in other programs, usual costs of calls of the C library.
#pragma once

#include <optional>

#include "pgo/infer/function_model.h"
#include "pgo/infer/observed_branches.h"
#include "pgo/infer/observed_calls.h"

namespace pgo::infer {

// How a function ran, in units that are the same for the whole binary.
struct FunctionFlow {
  std::vector<double> blocks, edges;  // of its graph
};

// Whether samples at the first instruction of a function count as evidence of how often the calls
// ran that they came from. Off by default: it was measured to be worse
// (docs/measurements/pc-samples.md).
enum class EntryConstraint { kOff, kOn };

struct ModelOptions {
  CostTable costs = kPooledCosts;
  EntryConstraint entry_constraint = EntryConstraint::kOff;
  std::optional<Layout> layout;  // nothing: the samples tell
  unsigned iterations = 150;
  unsigned jobs = 0;
};

// `samples` for each graph, by instruction; `calls` for each graph, by call, or nothing at all;
// `branches` for each graph, by edge, or nothing at all. All graphs are of one binary; calls of
// functions that are not among them are ignored. The result does not depend on the number of
// threads.
std::vector<FunctionFlow> fit_flows(const std::vector<ControlFlowGraph>& graphs,
                                    const std::vector<InstructionSamples>& samples,
                                    const std::vector<FunctionCalls>& calls,
                                    const ModelOptions& options,
                                    const std::vector<EdgeCounts>& branches = {});

}  // namespace pgo::infer
