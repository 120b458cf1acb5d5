#include "pgo/paired_runs/pair_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pgo/base/portable_math.h"
#include "pgo/verify/distribution.h"

namespace pgo {
namespace {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

// A fifth of the values at either end, unless they are few: then the interval would be too narrow.
size_t count_trimmed(size_t values) { return values < 10 ? 0 : values / 5; }

}  // namespace

// Tukey and McLaughlin, "Less vulnerable confidence and significance procedures for location based
// on a single sample: trimming/winsorization 1", 1963.
PairEstimate estimate_ratio(std::span<const FigurePair> pairs, double error) {
  std::vector<double> logarithms;
  for (const auto& [before, after] : pairs) logarithms.push_back(portable_log(after / before));
  std::sort(logarithms.begin(), logarithms.end());

  const size_t trimmed = count_trimmed(logarithms.size());
  const size_t kept = logarithms.size() - 2 * trimmed;
  const double mean = mean_of(std::span(logarithms).subspan(trimmed, kept));

  // The variance of the mean comes from all pairs, with the trimmed ones at the nearest kept ones.
  std::fill_n(logarithms.begin(), trimmed, logarithms[trimmed]);
  std::fill_n(logarithms.rbegin(), trimmed, logarithms[trimmed + kept - 1]);
  const auto count = static_cast<double>(logarithms.size());
  const double spread = std::sqrt(variance_of(logarithms)) * count / static_cast<double>(kept);
  const double half = verify::student_t_quantile(1 - error / 2, static_cast<double>(kept - 1)) *
                      spread / std::sqrt(count);
  return {portable_exp(mean),
          {portable_exp(mean - half), portable_exp_or_infinity(mean + half)},
          spread};
}

}  // namespace pgo
