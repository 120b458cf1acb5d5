#include "pgo/paired_runs/pair_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pgo::pair_statistics_test {
namespace {

TEST(PairStatistics, TakesTheGeometricMeanOfRatios) {
  PairEstimate estimate = estimate_ratio(std::vector<FigurePair>{{1, 2}, {10, 5}}, .05);
  EXPECT_NEAR(estimate.ratio, 1, 1e-12);
  EXPECT_NEAR(estimate.spread, std::sqrt(2.0) * std::log(2), 1e-12);
}

TEST(PairStatistics, HasStudentsInterval) {
  // Logarithms 0.1, 0.2, 0.3: mean 0.2, standard error 0.1 / sqrt(3), t of two degrees 4.303.
  std::vector<FigurePair> pairs;
  for (double logarithm : {.1, .2, .3}) pairs.emplace_back(1, std::exp(logarithm));
  PairEstimate estimate = estimate_ratio(pairs, .05);
  EXPECT_NEAR(std::log(estimate.interval.high), .2 + 4.302653 * .1 / std::sqrt(3), 1e-6);
  EXPECT_NEAR(std::log(estimate.interval.low), .2 - 4.302653 * .1 / std::sqrt(3), 1e-6);
}

TEST(PairStatistics, IsCertainOfPairsThatAgree) {
  PairEstimate estimate = estimate_ratio(std::vector<FigurePair>{{2, 1}, {4, 2}, {6, 3}}, .001);
  EXPECT_NEAR(estimate.interval.low, .5, 1e-9);
  EXPECT_NEAR(estimate.interval.high, .5, 1e-9);
}

// Pairs whose logarithms are 0.01, 0.02, ... and the last one `last`.
std::vector<FigurePair> ten_pairs(double last) {
  std::vector<FigurePair> pairs;
  for (int i = 1; i < 10; i++) pairs.emplace_back(1, std::exp(.01 * i));
  pairs.emplace_back(1, std::exp(last));
  return pairs;
}

TEST(PairStatistics, TrimsAFifthAtEitherEndOfTenPairs) {
  PairEstimate estimate = estimate_ratio(ten_pairs(.1), .05);
  EXPECT_NEAR(std::log(estimate.ratio), .055, 1e-12);
  // Winsorized, the logarithms are 0.03, 0.03, 0.03, 0.04, ..., 0.08, 0.08, 0.08: their squared
  // deviations add up to 2 (3 * 0.025^2 + 0.015^2 + 0.005^2); t of five degrees is 2.5706.
  const double deviation = std::sqrt(2 * (3 * .025 * .025 + .015 * .015 + .005 * .005) / 9);
  const double half = 2.570582 * deviation / (.6 * std::sqrt(10));
  EXPECT_NEAR(std::log(estimate.interval.low), .055 - half, 1e-6);
  EXPECT_NEAR(std::log(estimate.interval.high), .055 + half, 1e-6);
  EXPECT_NEAR(estimate.spread, deviation / .6, 1e-12);
}

TEST(PairStatistics, IsNotMovedByADisturbedRun) {
  PairEstimate quiet = estimate_ratio(ten_pairs(.1), .05), busy = estimate_ratio(ten_pairs(3), .05);
  EXPECT_EQ(quiet.ratio, busy.ratio);
  EXPECT_EQ(quiet.interval.high, busy.interval.high);
  EXPECT_EQ(quiet.spread, busy.spread);
}

}  // namespace
}  // namespace pgo::pair_statistics_test
