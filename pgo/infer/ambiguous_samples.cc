#include "pgo/infer/ambiguous_samples.h"

#include <algorithm>
#include <cmath>

#include "pgo/base/parallel.h"

namespace pgo::infer {
namespace {

// Rounds before the last one, which needs no better start; by measurement.
constexpr unsigned kRounds = 2;
constexpr unsigned kIterationsOfRound = 60;

// Parts of a sample are counted in units of which it has so many.
constexpr double kUnitsOfSample = 65536;
constexpr double kMax = 1e18;

// How many of a place's samples each instruction is likely to have, relative to others.
class Likelihoods {
 public:
  // All alike.
  Likelihoods() = default;
  // By cost; by cost and how often instructions ran.
  static Likelihoods of_costs(const InferredCounts& inferred, const CostTable& costs) {
    return Likelihoods(inferred, costs, [](const FunctionFlow&, uint32_t) { return 1.0; });
  }
  static Likelihoods of_runs(const InferredCounts& inferred, const CostTable& costs) {
    return Likelihoods(inferred, costs,
                       [](const FunctionFlow& flow, uint32_t block) { return flow.blocks[block]; });
  }

  double at(ElfAddr addr) const {
    if (by_addr_.empty()) return 1;
    auto found = std::lower_bound(by_addr_.begin(), by_addr_.end(), addr,
                                  [](const auto& entry, ElfAddr a) { return entry.first < a; });
    return found == by_addr_.end() || found->first != addr ? 0 : found->second;
  }

 private:
  template <typename Runs>
  Likelihoods(const InferredCounts& inferred, const CostTable& costs, const Runs& runs) {
    for (const InferredFunction& function : inferred.functions) {
      const ControlFlowGraph& graph = function.graph;
      std::vector<CostClass> classes = classify_costs(graph);
      for (uint32_t b = 0; b < graph.blocks.size(); b++) {
        const Block& block = graph.blocks[b];
        for (uint32_t i = block.first; i < block.first + block.count; i++)
          by_addr_.emplace_back(
              graph.instructions[i].addr,
              costs.samples[static_cast<size_t>(classes[i])] * runs(function.flow, b));
      }
    }
  }

  std::vector<std::pair<ElfAddr, double>> by_addr_;  // sorted: functions and instructions are
};

BinaryCounts distribute(const std::vector<AmbiguousSamples>& places, double weight,
                        const Likelihoods& likelihoods) {
  BinaryCounts counts;
  std::vector<double> shares;
  for (const AmbiguousSamples& place : places) {
    shares.clear();
    double sum = 0;
    for (ElfAddr addr : place.instructions) {
      shares.push_back(likelihoods.at(addr));
      sum += shares.back();
    }
    for (size_t i = 0; i < shares.size(); i++) {
      double share = sum > 0 ? shares[i] / sum : 1.0 / static_cast<double>(shares.size());
      double units = kUnitsOfSample * (static_cast<double>(place.count) / weight) * share;
      auto count = static_cast<uint64_t>(std::llround(std::min(units, kMax)));
      // Each is a part of a sample, so that only weights mean something.
      if (count > 0) counts.pc_samples.push_back({place.instructions[i], 0, count});
    }
  }
  counts.normalize();
  return counts;
}

}  // namespace

Result<InferredCounts> infer_ambiguous_counts(const ElfImage& image, const ElfImage& symbols,
                                              const std::vector<AmbiguousSamples>& places,
                                              const InferOptions& options) {
  InferOptions round = options;
  round.weight = kUnitsOfSample;
  round.split_half_iterations = 0;

  // The graphs, which tell what instructions cost.
  round.estimator = Estimator::kFlow;
  PGO_TRY(InferredCounts inferred,
          infer_counts(image, symbols, distribute(places, options.weight, {}), round));
  Likelihoods likelihoods = Likelihoods::of_costs(inferred, options.model.costs);

  // How often they ran, and what that says of where samples were.
  round.estimator = options.estimator;
  round.model.iterations = std::min(kIterationsOfRound, options.model.iterations);
  for (unsigned i = 0; i < kRounds; i++) {
    PGO_TRY(inferred,
            infer_counts(image, symbols, distribute(places, options.weight, likelihoods), round));
    likelihoods = Likelihoods::of_runs(inferred, options.model.costs);
  }
  round.model.iterations = options.model.iterations;
  PGO_TRY(inferred,
          infer_counts(image, symbols, distribute(places, options.weight, likelihoods), round));
  inferred.unsampled_flow_share.reset();
  for (uint64_t* units : {&inferred.in_functions, &inferred.outside_functions})
    *units = static_cast<uint64_t>(std::llround(static_cast<double>(*units) / kUnitsOfSample));
  return inferred;
}

}  // namespace pgo::infer
