#include "pgo/merge/normalization.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pgo {
namespace {

// Makes the inputs equal in one sample type.
void equalize(size_t type, const std::vector<Weight>& weights,
              const std::vector<MeasuredInput>& inputs, std::vector<MergeFactors>& factors) {
  // An input without a host is a group of its own.
  std::map<std::pair<std::string, size_t>, WideFactor> groups;
  auto amount_of_group = [&](size_t i) -> WideFactor& {
    const std::string& host = inputs[i].host;
    return groups[{host, host.empty() ? i : 0}];
  };
  WideFactor sum = 0;
  for (size_t i = 0; i < inputs.size(); i++) {
    if (type >= inputs[i].amounts.size()) continue;
    amount_of_group(i) += inputs[i].amounts[type];
    sum += inputs[i].amounts[type];
  }
  for (size_t i = 0; i < inputs.size(); i++) {
    if (type >= inputs[i].amounts.size()) continue;
    WideFactor amount = std::max<WideFactor>(amount_of_group(i), 1);
    factors[i].resize(type + 1);
    factors[i][type] = MergeFactor::of(weights[i].numerator * sum,
                                       weights[i].denominator * groups.size() * amount);
  }
}

}  // namespace

std::vector<MergeFactors> find_factors(const std::vector<Weight>& weights,
                                       const std::vector<MeasuredInput>& inputs,
                                       const std::vector<RelativeWeight>& in_bundles) {
  std::vector<MergeFactors> factors;
  for (size_t i = 0; i < weights.size(); i++) {
    const RelativeWeight in_bundle = in_bundles.empty() ? RelativeWeight() : in_bundles[i];
    factors.push_back(
        {MergeFactor::of(WideFactor{weights[i].numerator} * in_bundle.numerator,
                         WideFactor{weights[i].denominator} * in_bundle.denominator)});
  }
  size_t types = 0;
  for (const MeasuredInput& input : inputs) types = std::max(types, input.amounts.size());
  for (size_t type = 0; type < types; type++) equalize(type, weights, inputs, factors);
  for (size_t i = 0; i < in_bundles.size() && i < inputs.size(); i++)
    if (!inputs[i].amounts.empty())  // else it has the factor of weights alone
      for (MergeFactor& factor : factors[i]) factor = factor.times(in_bundles[i]);
  return factors;
}

}  // namespace pgo
