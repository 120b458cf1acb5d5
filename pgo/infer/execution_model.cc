#include "pgo/infer/execution_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "pgo/base/flat_lists.h"
#include "pgo/base/parallel.h"
#include "pgo/base/portable_math.h"
#include "pgo/infer/dead_end_flow.h"
#include "pgo/infer/lbfgs.h"

namespace pgo::infer {
namespace {

constexpr double kCallWeight = 25.0;
constexpr double kIndirectCallWeight = 5.0;
constexpr double kPartWeight = 5.0, kPartSamples = 10.0;
constexpr double kLeastCalls = 1e-3;
// A profile has laid out the program if the layout's being right costs less than this for each
// forward branch with that many samples in its block. Measured with 5 000 to 200 000 samples: .24
// to .30 of builds with a profile (.69 of queryd's with 5 000), .58 to 1.28 of builds without.
constexpr double kMaxCostOfLayout = 0.4, kSampledBranch = 3;
// With fewer such branches nothing is decided.
constexpr size_t kFewestBranches = 20;
// The cheapest instruction takes an eighth of a cycle; what entering a function costs in cycles.
constexpr double kCyclesOfEntry = 1.3, kInstructionsPerCycle = 8.0;

// What is cheap when `d`, a difference of logarithms, is small, and hardly grows faster than it.
struct RobustCost {
  double cost, slope;
};

RobustCost robust_cost(double weight, double d) {
  double root = std::sqrt(1 + d * d);
  return {weight * (root - 1), weight * d / root};
}

double& cost_of(CostTable& table, CostClass c) { return table.samples[static_cast<size_t>(c)]; }

// The same costs, scaled so that the average instruction of `graphs` has 1.
CostTable scale_costs(CostTable costs, const std::vector<ControlFlowGraph>& graphs, unsigned jobs) {
  std::vector<double> sums(graphs.size());
  parallel_for(graphs.size(), jobs, [&](size_t i) {
    for (CostClass c : classify_costs(graphs[i])) sums[i] += cost_of(costs, c);
  });
  double sum = 0, count = 0;
  for (size_t i = 0; i < graphs.size(); i++) {
    sum += sums[i];
    count += static_cast<double>(graphs[i].instructions.size());
  }
  for (double& samples : costs.samples) samples *= count / sum;
  return costs;
}

// The whole program. Functions meet only where they call each other: flows first, then what calls
// add up to, then slopes.
class Program {
 public:
  Program(const std::vector<ControlFlowGraph>& graphs,
          const std::vector<InstructionSamples>& samples, const std::vector<FunctionCalls>& calls,
          const std::vector<EdgeCounts>& branches, const ModelOptions& options, Layout layout);

  std::vector<double> start() const;
  double evaluate(const std::vector<double>& parameters, std::vector<double>& gradient);
  std::vector<FunctionFlow> flows(const std::vector<double>& parameters);

 private:
  // What a call calls of the functions here, how much of its flow, and of the function's entries.
  struct Callee {
    uint32_t function = 0;
    double share = 1, part = 0;
  };
  struct Function {
    std::unique_ptr<FunctionModel> model;  // null where nothing can be fitted
    Flow start;
    size_t first_parameter = 0;
    FlatLists<Callee> callees;         // by call of the graph
    std::vector<double> part_weights;  // by call: of its being the parts of what it calls
    std::vector<double> call_slopes;   // by call
    double call_weight = 0;            // of its being entered as often as it is called
  };

  std::span<const double> parameters_of(const Function& function,
                                        const std::vector<double>& all) const {
    return {all.data() + function.first_parameter, function.model->parameter_count()};
  }
  void find_callees(size_t function, const FunctionCalls& seen, const FlowLimits& limits,
                    const std::map<ElfAddr, uint32_t>& by_entry);
  void weigh_calls();
  void set_parameters(const std::vector<double>& parameters);
  double couple_calls(const std::vector<double>& parameters, std::vector<double>& entry_slopes);
  double couple_parts(const std::vector<double>& parameters, std::vector<double>& entry_slopes);

  const std::vector<ControlFlowGraph>& graphs_;
  unsigned jobs_;
  std::vector<Function> functions_;
  size_t parameter_count_ = 0;
};

Program::Program(const std::vector<ControlFlowGraph>& graphs,
                 const std::vector<InstructionSamples>& samples,
                 const std::vector<FunctionCalls>& calls, const std::vector<EdgeCounts>& branches,
                 const ModelOptions& options, Layout layout)
    : graphs_(graphs), jobs_(options.jobs), functions_(graphs.size()) {
  CostTable costs = scale_costs(options.costs, graphs, jobs_);
  double unit =
      cost_of(costs, CostClass::kFirstOfFunction) / kCyclesOfEntry / kInstructionsPerCycle;
  std::map<ElfAddr, uint32_t> by_entry;
  for (uint32_t i = 0; i < graphs.size(); i++) by_entry.emplace(graphs[i].function.begin, i);
  std::vector<FlowLimits> limits = find_flow_limits(graphs, samples, calls);
  parallel_for(graphs.size(), jobs_, [&](size_t i) {
    const ControlFlowGraph& graph = graphs[i];
    Function& function = functions_[i];
    function.start = estimate_flow(graph, samples[i], limits[i]);
    const FunctionCalls unknown(graph.calls.size());
    const FunctionCalls& seen = calls.empty() ? unknown : calls[i];
    auto model = std::make_unique<FunctionModel>(
        graph, samples[i], limits[i],
        options.entry_constraint == EntryConstraint::kOn ? seen : unknown, costs,
        branches.empty() ? EdgeCounts() : branches[i], unit, layout);
    if (!model->is_too_dense()) function.model = std::move(model);
    find_callees(i, seen, limits[i], by_entry);
    function.call_slopes.resize(graph.calls.size());
  });
  for (Function& function : functions_) {
    if (!function.model) continue;
    function.first_parameter = parameter_count_;
    parameter_count_ += function.model->parameter_count();
  }
  weigh_calls();
}

// Calls in dead ends that did not run are left out: what they call was called from elsewhere.
void Program::find_callees(size_t function, const FunctionCalls& seen, const FlowLimits& limits,
                           const std::map<ElfAddr, uint32_t>& by_entry) {
  const std::vector<CallSite>& calls = graphs_[function].calls;
  Function& caller = functions_[function];
  for (size_t c = 0; c < calls.size(); c++) {
    const CallSite& call = calls[c];
    double samples = 0;
    bool all_are_known = true;
    for (const CallTarget& target : seen[c].targets) {
      samples += target.samples;
      auto found = by_entry.find(target.entry);
      if (found != by_entry.end())
        caller.callees.push({found->second, target.share, target.part});
      else
        all_are_known = false;
    }
    bool runs = call.edge ? limits.edges[*call.edge] > 0 : limits.blocks[call.block] > 0;
    if (call.callee && seen[c].targets.empty() && runs) {
      auto found = by_entry.find(*call.callee);
      if (found != by_entry.end()) caller.callees.push({found->second});
    }
    caller.callees.end_list();
    caller.part_weights.push_back(all_are_known ? kPartWeight * samples / (samples + kPartSamples)
                                                : 0);
  }
}

void Program::weigh_calls() {
  for (bool indirect : {false, true})
    for (size_t i = 0; i < functions_.size(); i++) {
      const Function& function = functions_[i];
      for (size_t c = 0; c < function.callees.size() && function.model; c++)
        for (const Callee& callee : function.callees[c])
          if (!graphs_[i].calls[c].callee.has_value() == indirect)
            functions_[callee.function].call_weight = indirect ? kIndirectCallWeight : kCallWeight;
    }
  // How often a function without a model is entered is not known.
  for (Function& function : functions_)
    for (size_t c = 0; c < function.callees.size(); c++)
      for (const Callee& callee : function.callees[c])
        if (!functions_[callee.function].model) function.part_weights[c] = 0;
}

std::vector<double> Program::start() const {
  std::vector<double> all;
  for (const Function& function : functions_) {
    if (!function.model) continue;
    std::vector<double> own = function.model->start(function.start);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void Program::set_parameters(const std::vector<double>& parameters) {
  parallel_for(functions_.size(), jobs_, [&](size_t i) {
    Function& function = functions_[i];
    if (function.model) function.model->set_parameters(parameters_of(function, parameters));
  });
}

// The cost of functions being entered more or less often than they are called.
double Program::couple_calls(const std::vector<double>& parameters,
                             std::vector<double>& entry_slopes) {
  std::vector<double> called(functions_.size());
  for (size_t i = 0; i < functions_.size(); i++) {
    const Function& function = functions_[i];
    if (!function.model) continue;
    for (size_t c = 0; c < function.callees.size(); c++)
      for (const Callee& callee : function.callees[c])
        called[callee.function] += callee.share * function.model->call_flow(graphs_[i].calls[c]);
  }
  double cost = 0;
  for (size_t i = 0; i < functions_.size(); i++) {
    const Function& function = functions_[i];
    if (!function.model || function.call_weight == 0) continue;
    double sum = kLeastCalls + called[i];
    RobustCost robust =
        robust_cost(function.call_weight, parameters[function.first_parameter] - portable_log(sum));
    cost += robust.cost;
    entry_slopes[i] = robust.slope;
    called[i] = -robust.slope / sum;  // now the slope of each call
  }
  for (Function& function : functions_)
    for (size_t c = 0; c < function.callees.size(); c++) {
      function.call_slopes[c] = 0;
      for (const Callee& callee : function.callees[c])
        if (functions_[callee.function].model)
          function.call_slopes[c] += callee.share * called[callee.function];
    }
  return cost;
}

// The cost of calls being more or fewer than their parts of what they call.
double Program::couple_parts(const std::vector<double>& parameters,
                             std::vector<double>& entry_slopes) {
  std::vector<double> entries(functions_.size());
  for (size_t i = 0; i < functions_.size(); i++)
    if (functions_[i].model) entries[i] = portable_exp(parameters[functions_[i].first_parameter]);
  double cost = 0;
  for (size_t i = 0; i < functions_.size(); i++) {
    Function& function = functions_[i];
    for (size_t c = 0; c < function.callees.size() && function.model; c++) {
      if (function.part_weights[c] == 0) continue;
      double calls = kLeastCalls + function.model->call_flow(graphs_[i].calls[c]);
      double sum = kLeastCalls;
      for (const Callee& callee : function.callees[c])
        sum += callee.part * entries[callee.function];
      RobustCost robust = robust_cost(function.part_weights[c], portable_log(calls / sum));
      cost += robust.cost;
      function.call_slopes[c] += robust.slope / calls;
      for (const Callee& callee : function.callees[c])
        entry_slopes[callee.function] -=
            robust.slope * callee.part * entries[callee.function] / sum;
    }
  }
  return cost;
}

double Program::evaluate(const std::vector<double>& parameters, std::vector<double>& gradient) {
  set_parameters(parameters);
  std::vector<double> entry_slopes(functions_.size());
  double cost = couple_calls(parameters, entry_slopes);
  cost += couple_parts(parameters, entry_slopes);
  std::vector<double> costs(functions_.size());
  parallel_for(functions_.size(), jobs_, [&](size_t i) {
    Function& function = functions_[i];
    if (!function.model) return;
    std::span<double> own(gradient.data() + function.first_parameter,
                          function.model->parameter_count());
    costs[i] =
        function.model->evaluate(parameters_of(function, parameters), function.call_slopes, own);
    own[0] += entry_slopes[i];
  });
  for (double own : costs) cost += own;
  return cost;
}

std::vector<FunctionFlow> Program::flows(const std::vector<double>& parameters) {
  set_parameters(parameters);
  std::vector<FunctionFlow> result;
  for (size_t i = 0; i < functions_.size(); i++) {
    Function& function = functions_[i];
    if (!function.model) {
      result.push_back({std::move(function.start.blocks), std::move(function.start.edges)});
      continue;
    }
    FunctionFlow flow{function.model->flow(), {}};
    for (uint32_t e = 0; e < graphs_[i].edges.size(); e++)
      flow.edges.push_back(function.model->edge_flow(e));
    result.push_back(std::move(flow));
  }
  return result;
}

// The forward branches that were sampled.
size_t count_forward_branches(const std::vector<ControlFlowGraph>& graphs,
                              const std::vector<InstructionSamples>& samples) {
  size_t count = 0;
  for (size_t i = 0; i < graphs.size(); i++) {
    const std::vector<Edge>& edges = graphs[i].edges;
    std::vector<double> of_blocks = add_up_blocks(graphs[i], samples[i]);
    for (size_t e = 0; e + 1 < edges.size(); e++) {
      const Edge &taken = edges[e], &other = edges[e + 1];
      bool is_branch = taken.source == other.source && taken.kind == Edge::kTaken &&
                       other.kind == Edge::kFallThrough && taken.target > taken.source;
      if (is_branch && !taken.to_dead_end && !other.to_dead_end &&
          of_blocks[taken.source] >= kSampledBranch)
        count++;
    }
  }
  return count;
}

struct Fit {
  std::vector<FunctionFlow> flows;
  double cost = 0;  // J
};

Fit fit(const std::vector<ControlFlowGraph>& graphs, const std::vector<InstructionSamples>& samples,
        const std::vector<FunctionCalls>& calls, const std::vector<EdgeCounts>& branches,
        const ModelOptions& options, Layout layout) {
  Program program(graphs, samples, calls, branches, options, layout);
  std::vector<double> parameters = program.start();
  LbfgsOptions lbfgs;
  lbfgs.iterations = options.iterations;
  minimize(
      parameters,
      [&](const std::vector<double>& x, std::vector<double>& gradient) {
        return program.evaluate(x, gradient);
      },
      lbfgs);
  std::vector<double> ignored(parameters.size());
  double cost = program.evaluate(parameters, ignored);
  return {program.flows(parameters), cost};
}

}  // namespace

std::vector<FunctionFlow> fit_flows(const std::vector<ControlFlowGraph>& graphs,
                                    const std::vector<InstructionSamples>& samples,
                                    const std::vector<FunctionCalls>& calls,
                                    const ModelOptions& options,
                                    const std::vector<EdgeCounts>& branches) {
  if (graphs.empty()) return {};
  if (options.layout) return fit(graphs, samples, calls, branches, options, *options.layout).flows;
  size_t forward = count_forward_branches(graphs, samples);
  Fit free = fit(graphs, samples, calls, branches, options, Layout::kByHeuristics);
  if (forward < kFewestBranches) return free.flows;
  Fit laid_out = fit(graphs, samples, calls, branches, options, Layout::kByProfile);
  double cost = (laid_out.cost - free.cost) / static_cast<double>(forward);
  return cost < kMaxCostOfLayout ? laid_out.flows : free.flows;
}

}  // namespace pgo::infer
