#include "pgo/verify/variance_trend.h"

#include <gtest/gtest.h>

#include <vector>

namespace pgo::verify::variance_trend_test {
namespace {

std::vector<TrendPoint> points_of(double between, double sampling, int count) {
  std::vector<TrendPoint> points;
  for (int i = 1; i <= count; i++) {
    double poisson = .001 * i;
    points.push_back({between + sampling * poisson, poisson, 4});
  }
  return points;
}

TEST(VarianceTrend, FindsTheLineThatPointsAreOn) {
  VarianceTrend trend = fit_variance_trend(points_of(.01, 3, 50));
  EXPECT_NEAR(trend.between, .01, 1e-9);
  EXPECT_NEAR(trend.sampling, 3, 1e-6);
  EXPECT_NEAR(trend.at(.5), 1.51, 1e-6);
}

// Samples are never more certain than independent ones, and variances never negative.
TEST(VarianceTrend, KeepsItsBounds) {
  VarianceTrend even = fit_variance_trend(points_of(.01, .2, 50));
  EXPECT_EQ(even.sampling, 1);
  EXPECT_GE(even.between, 0);
  VarianceTrend thin = fit_variance_trend(points_of(-.0005, 3, 50));
  EXPECT_GE(thin.between, 0);
  EXPECT_LT(thin.between, 1e-6);
}

TEST(VarianceTrend, OfFewPointsIsWhatSamplesDoNotExplain) {
  VarianceTrend trend = fit_variance_trend(points_of(.01, 1, 3));
  EXPECT_NEAR(trend.between, .01, 1e-9);
  EXPECT_EQ(trend.sampling, 1);
  EXPECT_EQ(trend.freedom_at(.001), 0);
  EXPECT_EQ(fit_variance_trend({}).between, 0);
  EXPECT_EQ(fit_variance_trend({}).at(.25), .25);
}

// A point of which nothing is known is not one of variance 0 and infinitely many samples.
TEST(VarianceTrend, PointsWithoutFreedomDoNotCount) {
  std::vector<TrendPoint> points = points_of(.01, 3, 50), more = points;
  for (int i = 0; i < 25; i++) more.insert(more.begin() + 2 * i, TrendPoint{});
  VarianceTrend trend = fit_variance_trend(points), same = fit_variance_trend(more);
  EXPECT_EQ(same.between, trend.between);
  EXPECT_EQ(same.sampling, trend.sampling);
  EXPECT_NEAR(same.point_freedom, 4, 1e-9);
  EXPECT_EQ(same.freedom_at(.01), trend.freedom_at(.01));
  EXPECT_EQ(fit_variance_trend(std::vector<TrendPoint>(20)).between, 0);
}

// 40 points of 4 degrees of freedom each, all in one place but two: there the others say little.
TEST(VarianceTrend, IsKnownWherePointsAre) {
  std::vector<TrendPoint> points(40, {.1, .09, 4});
  points[0] = points[1] = {.01, 1e-4, 4};
  VarianceTrend trend = fit_variance_trend(points);
  EXPECT_GT(trend.freedom_at(.09), 100);
  EXPECT_LT(trend.freedom_at(.09), 161);
  EXPECT_GT(trend.freedom_at(1e-4), 4);
  EXPECT_LT(trend.freedom_at(1e-4), 12);
}

TEST(VarianceTrend, PointsWithEquallyManySamplesAreOneMean) {
  VarianceTrend trend = fit_variance_trend(std::vector<TrendPoint>(40, {.1, .04, 4}));
  EXPECT_NEAR(trend.between, .06, 1e-9);
  EXPECT_EQ(trend.sampling, 1);
}

}  // namespace
}  // namespace pgo::verify::variance_trend_test
