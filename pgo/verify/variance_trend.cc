#include "pgo/verify/variance_trend.h"

#include <algorithm>
#include <cstddef>

namespace pgo::verify {
namespace {

// With fewer points, the two parts of a line cannot be told apart.
constexpr ptrdiff_t kMinPoints = 10;
constexpr int kSteps = 30;
// Of the mean variance: `between` never vanishes while fitting, or rows with many samples would
// have infinite weight.
constexpr double kLeastPart = 1e-6;
// Of the product of its diagonal; below, all points have the same number of samples.
constexpr double kLeastDeterminant = 1e-9;

struct Moments {
  double weight = 0, poisson = 0, variance = 0, poisson2 = 0, product = 0;
};

// Weighted by 1 / (expected variance)^2, which is what a gamma variable's variance is proportional
// to.
Moments weigh(std::span<const TrendPoint> points, const VarianceTrend& trend) {
  Moments sum;
  for (const TrendPoint& point : points) {
    if (point.freedom <= 0) continue;
    double expected = trend.at(point.poisson);
    double weight = 1 / (expected * expected);
    sum.weight += weight;
    sum.poisson += weight * point.poisson;
    sum.variance += weight * point.variance;
    sum.poisson2 += weight * point.poisson * point.poisson;
    sum.product += weight * point.poisson * point.variance;
  }
  return sum;
}

// The line of least squares whose two coefficients keep their bounds.
VarianceTrend solve(const Moments& sum, double least) {
  double determinant = sum.weight * sum.poisson2 - sum.poisson * sum.poisson;
  VarianceTrend line;
  bool known = determinant > kLeastDeterminant * sum.weight * sum.poisson2;
  if (known) {
    line.sampling = (sum.weight * sum.product - sum.poisson * sum.variance) / determinant;
    line.between = (sum.variance - line.sampling * sum.poisson) / sum.weight;
  }
  if (!known || line.sampling < 1) {
    line.sampling = 1;
    line.between = (sum.variance - sum.poisson) / sum.weight;
  }
  if (line.between < least) {
    line.between = least;
    line.sampling =
        std::max(1.0, sum.poisson2 > 0 ? (sum.product - least * sum.poisson) / sum.poisson2 : 1.0);
  }
  return line;
}

// Of gamma variables of the same freedom, the covariance of the two coefficients is 2 / freedom
// times the inverse of the moments.
void add_uncertainty(const Moments& sum, double freedom, VarianceTrend& trend) {
  double determinant = sum.weight * sum.poisson2 - sum.poisson * sum.poisson;
  if (!(determinant > kLeastDeterminant * sum.weight * sum.poisson2)) return;
  trend.of_between = sum.poisson2 / determinant;
  trend.of_both = -sum.poisson / determinant;
  trend.of_sampling = sum.weight / determinant;
  trend.point_freedom = freedom;
}

}  // namespace

// A variance v with the variance 2 v^2 / freedom.
double VarianceTrend::freedom_at(double poisson) const {
  double uncertainty = of_between + 2 * of_both * poisson + of_sampling * poisson * poisson;
  if (point_freedom <= 0 || !(uncertainty > 0)) return 0;
  return point_freedom * at(poisson) * at(poisson) / uncertainty;
}

VarianceTrend fit_variance_trend(std::span<const TrendPoint> points) {
  auto known =
      std::ranges::count_if(points, [](const TrendPoint& point) { return point.freedom > 0; });
  if (known == 0) return {};
  auto count = static_cast<double>(known);
  double variance = 0, poisson = 0, freedom = 0;
  for (const TrendPoint& point : points) {
    if (point.freedom <= 0) continue;
    freedom += point.freedom / count;
    variance += point.variance / count;
    poisson += point.poisson / count;
  }
  VarianceTrend trend{.between = std::max(0.0, variance - poisson)};
  if (known < kMinPoints || variance <= 0) return trend;
  double least = kLeastPart * variance;
  trend.between = std::max(trend.between, least);
  for (int step = 0; step < kSteps; step++) trend = solve(weigh(points, trend), least);
  add_uncertainty(weigh(points, trend), freedom, trend);
  return trend;
}

}  // namespace pgo::verify
