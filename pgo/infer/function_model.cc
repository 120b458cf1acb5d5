#include "pgo/infer/function_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "pgo/base/portable_math.h"

namespace pgo::infer {
namespace {

constexpr double kKept = 1.0 - 1e-9;  // of the flow, along each edge
constexpr double kEvidenceWeight = 0.3;
constexpr double kEntryDispersion = 4.0;
constexpr double kCapWeight = 0.1;
constexpr double kCapSamples = 10.0;
constexpr double kExtraSourceWeight = 0.02;
constexpr double kBackwardLogit = 2.0;

// Of the logits of a block's edges: that of falling through, and the variance of each.
struct LogitPrior {
  double fall_through, variance;
};

constexpr LogitPrior kPrior{0.4, 12.0 * 12.0};
constexpr LogitPrior kLaidOutPrior{5.0, 4.0 * 4.0};  // of forward branches, by a profile
constexpr double kDeadEndWeight = 2.0;
constexpr double kLeastFlow = 1e-300;
// What a system may take, by block; Lua's interpreter, the densest seen, takes 151.
constexpr size_t kMaxUpdatesOfBlock = 1000;

// The column is the block that the flow comes from.
SparseLu make_flow_system(const ControlFlowGraph& graph) {
  std::vector<std::pair<uint32_t, uint32_t>> entries;
  for (const Edge& edge : graph.edges)
    if (edge.kind != Edge::kExit) entries.emplace_back(edge.target, edge.source);
  return SparseLu(static_cast<uint32_t>(graph.blocks.size()), entries,
                  kMaxUpdatesOfBlock * graph.blocks.size());
}

bool goes_back(const Edge& edge) { return edge.kind == Edge::kTaken && edge.target <= edge.source; }

}  // namespace

FunctionModel::FunctionModel(const ControlFlowGraph& graph, const InstructionSamples& samples,
                             const FlowLimits& limits, const FunctionCalls& calls,
                             const CostTable& costs, const EdgeCounts& branches, double unit,
                             Layout layout)
    : graph_(&graph),
      unit_(unit),
      limits_(limits.edges),
      block_samples_(add_up_blocks(graph, samples)),
      weighted_samples_(graph.blocks.size()),
      flow_system_(make_flow_system(graph)),
      probability_(graph.edges.size(), 1.0),
      flow_(graph.blocks.size()),
      slope_(graph.blocks.size()) {
  find_logits(layout);
  if (!branches.empty())
    for (uint32_t edge : logit_edges_) branches_.push_back(branches[edge]);
  if (!is_too_dense())
    for (const Edge& edge : graph.edges)
      places_.push_back(edge.kind == Edge::kExit || edge.target == edge.source
                            ? 0
                            : flow_system_.find_place(edge.target, edge.source));

  collect_evidence(samples, calls, costs);
}

// The edges of each block among which control chooses.
void FunctionModel::find_logits(Layout layout) {
  const std::vector<Edge>& edges = graph_->edges;
  for (uint32_t first = 0, end = 0; first < edges.size(); first = end) {
    std::vector<uint32_t> open;
    for (end = first; end < edges.size() && edges[end].source == edges[first].source; end++) {
      if (limits_[end] == 0)
        probability_[end] = 0;
      else
        open.push_back(end);
    }
    if (open.size() < 2) continue;
    bool loops = std::ranges::any_of(open, [&](uint32_t e) { return goes_back(edges[e]); });
    auto falls = [&](uint32_t e) { return edges[e].kind == Edge::kFallThrough && !loops; };
    bool is_forward = open.size() == 2 && std::ranges::any_of(open, falls);
    const LogitPrior& prior = is_forward && layout == Layout::kByProfile ? kLaidOutPrior : kPrior;
    prior_variances_.push_back(prior.variance);
    logit_groups_.push_back(static_cast<uint32_t>(logit_edges_.size()));
    for (uint32_t e : open) {
      logit_edges_.push_back(e);
      prior_logits_.push_back(goes_back(edges[e]) ? kBackwardLogit
                              : falls(e)          ? prior.fall_through
                                                  : 0.0);
    }
  }
  logit_groups_.push_back(static_cast<uint32_t>(logit_edges_.size()));
  prior_logs_.resize(logit_edges_.size());
}

// Instructions of one class with equal samples say the same.
void FunctionModel::collect_evidence(const InstructionSamples& samples, const FunctionCalls& calls,
                                     const CostTable& costs) {
  std::vector<CostClass> classes = classify_costs(*graph_);
  auto add = [&](uint32_t block, const Evidence& evidence) {
    evidence_.push_back(evidence);
    weighted_samples_[block] += evidence.weight * evidence.samples;
  };
  size_t call = 0;
  for (uint32_t b = 0; b < graph_->blocks.size(); b++) {
    first_evidence_.push_back(static_cast<uint32_t>(evidence_.size()));
    std::map<std::pair<CostClass, double>, unsigned> alike;
    const Block& block = graph_->blocks[b];
    for (uint32_t i = block.first; i < block.first + block.count; i++)
      alike[{classes[i], samples[i]}]++;
    for (const auto& [what, count] : alike) {
      auto c = static_cast<size_t>(what.first);
      add(b, {what.second, costs.samples[c], costs.dispersion[c], kEvidenceWeight * count});
    }
    double entry_cost = costs.samples[static_cast<size_t>(CostClass::kFirstOfFunction)];
    for (; call < graph_->calls.size() && graph_->calls[call].block == b; call++)
      if (!graph_->calls[call].edge && calls[call].entered > 0)
        add(b, {calls[call].entered, entry_cost, kEntryDispersion, 1.0});
  }
  first_evidence_.push_back(static_cast<uint32_t>(evidence_.size()));
}

std::vector<double> FunctionModel::start(const Flow& flow) {
  // What keeps a logarithm of nothing away; the second is a share of the block's flow.
  constexpr double kLeast = 1e-3, kLeastShare = 0.02;
  // The flow's shares count like so many branch records, so that one or two records do not decide
  // alone where the search begins. The number was not tuned; the search weighs the records as
  // evaluate_branches() says.
  constexpr double kRecordsOfFlow = 4;
  std::vector<double> parameters;
  for (uint32_t source : graph_->sources)
    parameters.push_back(portable_log(std::max(flow.blocks[source], kLeast)));
  if (std::all_of(flow.blocks.begin(), flow.blocks.end(), [](double f) { return f == 0; })) {
    // Nothing is known of the flow: density, and the prior.
    double samples = std::accumulate(block_samples_.begin(), block_samples_.end(), 0.0);
    double density = samples / static_cast<double>(graph_->instructions.size());
    parameters[0] = portable_log(std::max(density, kLeast));
    parameters.insert(parameters.end(), prior_logits_.begin(), prior_logits_.end());
    return parameters;
  }
  for (size_t group = 0; group + 1 < logit_groups_.size(); group++) {
    // All of one block: around the mean of the prior.
    size_t first = logit_groups_[group], end = logit_groups_[group + 1];
    double from = flow.blocks[graph_->edges[logit_edges_[first]].source];
    double mean = 0, prior_mean = 0, records = 0;
    for (size_t j = first; j < end && !branches_.empty(); j++) records += branches_[j];
    std::vector<double> logs;
    for (size_t j = first; j < end; j++) {
      uint32_t edge = logit_edges_[j];
      double limit = limits_[edge];
      if (limit < from) prior_logs_[j] = portable_log(limit / from);
      double least = kLeastShare * from + kLeast;
      double here = flow.edges[edge] + std::min(least, limit);
      if (records > 0 && from > 0)
        here = from * (kRecordsOfFlow * here / from + branches_[j]) / (kRecordsOfFlow + records);
      logs.push_back(portable_log(here));
      mean += logs.back() / static_cast<double>(end - first);
      prior_mean += prior_logits_[j] / static_cast<double>(end - first);
    }
    for (double log : logs) parameters.push_back(log - mean + prior_mean);
  }
  return parameters;
}

void FunctionModel::set_parameters(std::span<const double> parameters) {
  std::span<const double> logits = parameters.subspan(graph_->sources.size());
  for (size_t group = 0; group + 1 < logit_groups_.size(); group++) {
    size_t first = logit_groups_[group], end = logit_groups_[group + 1];
    double largest = *std::max_element(logits.begin() + static_cast<std::ptrdiff_t>(first),
                                       logits.begin() + static_cast<std::ptrdiff_t>(end));
    double sum = 0;
    for (size_t j = first; j < end; j++) {
      double& p = probability_[logit_edges_[j]];
      p = portable_exp(logits[j] - largest);
      sum += p;
    }
    for (size_t j = first; j < end; j++) probability_[logit_edges_[j]] /= sum;
  }

  flow_system_.set_identity();
  for (size_t e = 0; e < graph_->edges.size(); e++) {
    const Edge& edge = graph_->edges[e];
    if (edge.kind == Edge::kExit) continue;
    double value = -kKept * probability_[e];
    if (edge.target == edge.source)
      flow_system_.add_diagonal(edge.source, value);
    else
      flow_system_.add(places_[e], value);
  }
  flow_system_.factor();
  std::fill(flow_.begin(), flow_.end(), 0.0);
  for (size_t s = 0; s < graph_->sources.size(); s++)
    flow_[graph_->sources[s]] += portable_exp(parameters[s]);
  flow_system_.solve(flow_);
  for (double& f : flow_) f = std::max(f, kLeastFlow);
}

double FunctionModel::edge_flow(uint32_t edge) const {
  return kKept * probability_[edge] * flow_[graph_->edges[edge].source];
}

double FunctionModel::cap_cost(uint32_t block, double& slope) const {
  double cap = kCapSamples * (block_samples_[block] + 1.0);
  double per_flow = unit_ * graph_->blocks[block].count;
  double x = per_flow * flow_[block] - cap;
  if (x <= 0) return 0;
  slope += kCapWeight * per_flow * x * (x + 2 * cap) / ((x + cap) * (x + cap));
  return kCapWeight * x * x / (x + cap);
}

// Fills in slope_ with what is of each block alone.
double FunctionModel::evaluate_blocks() {
  double cost = 0;
  for (uint32_t b = 0; b < flow_.size(); b++) {
    double f = flow_[b];
    double slope = 0;
    double sum = 0;
    for (uint32_t i = first_evidence_[b]; i < first_evidence_[b + 1]; i++) {
      const Evidence& e = evidence_[i];
      double mean = f * e.tau + e.dispersion, strength = e.weight * (e.samples + e.dispersion);
      sum += strength * portable_log(mean);
      slope += strength * e.tau / mean;
    }
    if (weighted_samples_[b] > 0) {
      sum -= weighted_samples_[b] * portable_log(f);
      slope -= weighted_samples_[b] / f;
    }
    cost += sum + cap_cost(b, slope);
    slope_[b] = slope;
  }
  return cost;
}

double FunctionModel::evaluate(std::span<const double> parameters,
                               std::span<const double> call_slopes, std::span<double> gradient) {
  double cost = evaluate_blocks();
  // Calls that are a way out of a block count for their edge, others for the block.
  std::vector<double> exit_slope(graph_->edges.size());
  for (size_t c = 0; c < call_slopes.size(); c++) {
    const CallSite& site = graph_->calls[c];
    if (site.edge) {
      exit_slope[*site.edge] += call_slopes[c];
      slope_[site.block] += kKept * probability_[*site.edge] * call_slopes[c];
    } else {
      slope_[site.block] += call_slopes[c];
    }
  }
  flow_system_.solve_transposed(slope_);

  size_t sources = graph_->sources.size();
  for (size_t s = 0; s < sources; s++) {
    double entered = portable_exp(parameters[s]);
    double weight = s == 0 ? 0.0 : kExtraSourceWeight;
    cost += weight * entered;
    gradient[s] = entered * (slope_[graph_->sources[s]] + weight);
  }
  auto slope_behind = [&](uint32_t e) {
    const Edge& edge = graph_->edges[e];
    return edge.kind == Edge::kExit ? exit_slope[e] : slope_[edge.target];
  };
  std::span<double> logit_slopes = gradient.subspan(sources);
  for (size_t group = 0; group + 1 < logit_groups_.size(); group++) {
    size_t first = logit_groups_[group], end = logit_groups_[group + 1];
    double flow = flow_[graph_->edges[logit_edges_[first]].source];
    double mean = 0, variance = prior_variances_[group];
    for (size_t j = first; j < end; j++)
      mean += probability_[logit_edges_[j]] * slope_behind(logit_edges_[j]);
    for (size_t j = first; j < end; j++) {
      uint32_t e = logit_edges_[j];
      double off = parameters[sources + j] - prior_logits_[j];
      cost += off * off / (2 * variance);
      logit_slopes[j] = kKept * flow * probability_[e] * (slope_behind(e) - mean) + off / variance;
    }
    cost += evaluate_dead_ends(group, logit_slopes);
    if (!branches_.empty()) cost += evaluate_branches(group, logit_slopes);
  }
  return cost;
}

// What the branch records say about the ways out of a block. They are evidence of how likely each
// way is, not of how often the block ran: a burst of single steps begins where time is spent, so
// the number of records depends on where that is.
double FunctionModel::evaluate_branches(size_t group, std::span<double> logit_slopes) const {
  constexpr double kLeastProbability = 1e-300;
  double cost = 0, records = 0;
  const size_t first = logit_groups_[group], end = logit_groups_[group + 1];
  for (size_t j = first; j < end; j++) records += branches_[j];
  if (records == 0) return 0;
  for (size_t j = first; j < end; j++) {
    const double p = probability_[logit_edges_[j]];
    cost -= branches_[j] * portable_log(std::max(p, kLeastProbability));
    logit_slopes[j] += records * p - branches_[j];
  }
  return cost;
}

// Of a block's edges to dead ends.
double FunctionModel::evaluate_dead_ends(size_t group, std::span<double> logit_slopes) const {
  double cost = 0;
  size_t first = logit_groups_[group], end = logit_groups_[group + 1];
  for (size_t j = first; j < end; j++) {
    double p = probability_[logit_edges_[j]];
    if (prior_logs_[j] == 0 || p <= 0) continue;
    double d = portable_log(p) - prior_logs_[j];
    if (d <= 0) continue;
    double root = std::sqrt(1 + d * d);
    cost += kDeadEndWeight * (root - 1);
    double slope = kDeadEndWeight * d / root;
    logit_slopes[j] += slope;
    for (size_t k = first; k < end; k++) logit_slopes[k] -= slope * probability_[logit_edges_[k]];
  }
  return cost;
}

}  // namespace pgo::infer
