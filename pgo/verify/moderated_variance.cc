#include "pgo/verify/moderated_variance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pgo/base/portable_math.h"
#include "pgo/verify/distribution.h"

namespace pgo::verify {
namespace {

// A variance of less than this part of the median says that two members are equal to the last
// digit, not how much they vary; its logarithm alone would decide all.
constexpr double kLeastOfMedian = 1e-4;

double least_value(std::span<const Variance> rows) {
  std::vector<double> values;
  for (const Variance& row : rows)
    if (row.freedom > 0) values.push_back(row.value);
  if (values.empty()) return 0;
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle * kLeastOfMedian;
}

}  // namespace

VariancePrior fit_variance_prior(std::span<const Variance> rows) {
  // e = log s^2 - psi(d / 2) + log(d / 2) has the mean log(scale) - psi(d0 / 2) + log(d0 / 2) and
  // the variance psi'(d / 2) + psi'(d0 / 2).
  double least = least_value(rows), values = 0, by_chance = 0, freedom = 0;
  std::vector<double> e;
  for (const Variance& row : rows) {
    if (row.freedom <= 0 || least <= 0) continue;
    double half = row.freedom / 2, value = std::max(row.value, least);
    e.push_back(portable_log(value) - digamma(half) + portable_log(half));
    by_chance += trigamma(half);
    values += value;
    freedom += row.freedom;
  }
  if (e.size() < kMinModeratedRows) return {};
  auto count = static_cast<double>(e.size());
  double mean = 0, scatter = 0;
  for (double value : e) mean += value / count;
  for (double value : e) scatter += (value - mean) * (value - mean) / (count - 1);
  double real = scatter - by_chance / count;
  if (!(real > 1e-8)) return {values / count, std::numeric_limits<double>::infinity(), freedom};
  double half = trigamma_inverse(real);
  return {portable_exp(mean + digamma(half) - portable_log(half)), 2 * half, freedom};
}

Variance moderate(const Variance& row, const VariancePrior& prior) {
  if (prior.freedom <= 0) return row;
  double freedom = std::min(prior.freedom + row.freedom, prior.freedom_of_rows);
  if (std::isinf(prior.freedom)) return {prior.scale, freedom};
  double value =
      (prior.freedom * prior.scale + row.freedom * row.value) / (prior.freedom + row.freedom);
  return {value, freedom};
}

}  // namespace pgo::verify
