#include "pgo/verdict/unreached_functions.h"

#include <algorithm>
#include <map>
#include <string>

#include "pgo/diff/clone_suffix.h"
#include "pgo/profile/thresholds.h"

namespace pgo {

std::vector<UnreachedFunction> find_unreached(const DiffResult& comparison,
                                              const ProfileMatch& match, const std::string& binary,
                                              double share) {
  std::map<std::string, MatchWeights, std::less<>> weights;  // by comparable name
  for (const FunctionMatch& function : match.functions) {
    MatchWeights& sum = weights[std::string(without_clone_suffixes(function.name))];
    for (size_t i = 0; i < kMatchOutcomeCount; i++)
      sum.add(static_cast<MatchOutcome>(i), function.weights.by_outcome[i]);
  }
  const double everything = comparison.total ? comparison.total->rate_b : 1;
  std::vector<UnreachedFunction> unreached;
  for (size_t row = 0; row < comparison.rows.size(); row++) {
    const DiffRow& one = comparison.rows[row];
    const double its_share = everything > 0 ? one.flat.rate_b / everything : 0;
    auto found = weights.find(one.key.linkage.empty() ? one.key.name : one.key.linkage);
    const bool is_other = !one.key.binary.empty() && one.key.binary != binary;
    if (is_other || its_share < share || found == weights.end() || found->second.all() == 0)
      continue;
    const double unmatched =
        static_cast<double>(found->second.unmatched()) / static_cast<double>(found->second.all());
    if (unmatched > thresholds::kUnreachedShare)
      unreached.push_back({row, its_share, unmatched, found->second.main_reason()});
  }
  std::stable_sort(
      unreached.begin(), unreached.end(),
      [](const UnreachedFunction& a, const UnreachedFunction& b) { return a.share > b.share; });
  return unreached;
}

}  // namespace pgo
