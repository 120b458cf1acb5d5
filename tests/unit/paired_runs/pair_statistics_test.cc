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

}  // namespace
}  // namespace pgo::pair_statistics_test
