#include "pgo/verdict/cost_verdict.h"

#include <gtest/gtest.h>

#include <limits>

namespace pgo::cost_verdict_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(CostVerdict, PassesBelowTheAcceptedGrowth) {
  const Limits limits{.growth = .01};
  EXPECT_EQ(judge_cost({.92, .94}, limits), Outcome::kPass);
  EXPECT_EQ(judge_cost({.99, 1.01}, limits), Outcome::kPass);
  EXPECT_EQ(judge_cost({.99, 1.011}, limits), Outcome::kInconclusive);
  EXPECT_EQ(judge_cost({1.01, 1.05}, limits), Outcome::kInconclusive);
  EXPECT_EQ(judge_cost({1.011, 1.05}, limits), Outcome::kFail);
  EXPECT_EQ(judge_cost({0, kInfinity}, limits), Outcome::kInconclusive);
}

TEST(CostVerdict, AsksForTheExpectedDrop) {
  const Limits limits{.growth = .01, .drop = .03};
  EXPECT_EQ(judge_cost({.95, .97}, limits), Outcome::kPass);
  EXPECT_EQ(judge_cost({.95, .98}, limits), Outcome::kInconclusive);
  EXPECT_EQ(judge_cost({.98, 1.0}, limits), Outcome::kInconclusive);
  EXPECT_EQ(judge_cost({1.02, 1.03}, limits), Outcome::kFail);
}

TEST(CostVerdict, SaysHowMuchDataWouldDecide) {
  // The logarithm of the upper end is four times as far from the ratio as the limit: 16 times.
  const Limits none{.growth = 0};
  EXPECT_NEAR(*data_to_decide(.5, {.25, 8}, none), 16, 1e-9);
  EXPECT_NEAR(*data_to_decide(2, {.5, 8}, none), 4, 1e-9);
  // Already decided: no more than there is.
  EXPECT_LE(*data_to_decide(.9, {.89, .91}, none), 1);
}

TEST(CostVerdict, KnowsWhatNoDataDecides) {
  const Limits limits{.growth = .01, .drop = .03};
  EXPECT_EQ(data_to_decide(.99, {.98, 1.0}, limits),
            std::nullopt);  // between the limits for pass and fail
  EXPECT_EQ(data_to_decide(.97, {.96, .98}, limits), std::nullopt);     // at the limit itself
  EXPECT_EQ(data_to_decide(.9, {0, kInfinity}, limits), std::nullopt);  // nothing is known
  EXPECT_EQ(data_to_decide(kInfinity, {0, kInfinity}, limits), std::nullopt);
}

}  // namespace
}  // namespace pgo::cost_verdict_test
