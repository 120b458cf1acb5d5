#include "pgo/paired_runs/pair_statistics.h"

#include <cmath>
#include <vector>

#include "pgo/verify/distribution.h"

namespace pgo {

PairEstimate estimate_ratio(std::span<const FigurePair> pairs, double error) {
  const auto count = static_cast<double>(pairs.size());
  std::vector<double> logarithms;
  double sum = 0, squares = 0;
  for (const auto& [before, after] : pairs) {
    logarithms.push_back(std::log(after / before));
    sum += logarithms.back();
  }
  const double mean = sum / count;
  for (double logarithm : logarithms) squares += (logarithm - mean) * (logarithm - mean);
  const double spread = std::sqrt(squares / (count - 1));
  const double half =
      verify::student_t_quantile(1 - error / 2, count - 1) * spread / std::sqrt(count);
  return {std::exp(mean), {std::exp(mean - half), std::exp(mean + half)}, spread};
}

}  // namespace pgo
