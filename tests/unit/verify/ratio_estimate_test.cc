#include "pgo/verify/ratio_estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pgo/verify/distribution.h"

namespace pgo::verify::ratio_estimate_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RatioEstimate poisson(double a, double b) {
  return RatioEstimate({.rate = a, .exposure = 1}, {.rate = b, .exposure = 1});
}
RatioEstimate score(double a, double b) {
  return RatioEstimate({.rate = a, .exposure = 1}, {.rate = b, .exposure = 1}, 0, 1, kInfinity);
}

// Wilson's interval of 3 in 6 is .1876 to .8124, by hand; ratios are p / (1 - p).
TEST(RatioEstimate, WithoutHostsIsWilsons) {
  RatioInterval interval = score(3, 3).interval(.95);
  EXPECT_NEAR(interval.low, .18761 / .81239, 1e-4);
  EXPECT_NEAR(interval.high, .81239 / .18761, 1e-3);
}

// Many samples: z(r) = (b / fitted_b - a / fitted_a) / .1, with fitted_a = (a + b) / (1 + r).
TEST(RatioEstimate, WithManySamplesIsStudents) {
  RatioEstimate estimate({.rate = 1, .exposure = 1e12}, {.rate = 1.1, .exposure = 1e12}, .01, 1, 4);
  EXPECT_NEAR(estimate.ratio(), 1.1, 1e-12);
  EXPECT_NEAR(estimate.p_value(), 2 * student_t_above(.1 / 1.05 / .1, 4), 1e-6);
  EXPECT_NEAR(estimate.p_above(1), student_t_above(.1 / 1.05 / .1, 4), 1e-6);
  EXPECT_NEAR(estimate.p_above(1) + estimate.p_below(1), 1, 1e-6);
  EXPECT_NEAR(estimate.p_value(1.1), 1, 1e-6);
}

TEST(RatioEstimate, IntervalAndPValueBelongTogether) {
  for (double a : {3.0, 40.0, 1e6})
    for (double b : {5.0, 40.0, 2e6})
      for (const RatioEstimate& estimate :
           {poisson(a, b), score(a, b), RatioEstimate({a, 1}, {b, 1}, .02, 1.5, 6)}) {
        RatioInterval interval = estimate.interval(.975);
        EXPECT_LT(interval.low, estimate.ratio());
        EXPECT_GT(interval.high, estimate.ratio());
        EXPECT_NEAR(estimate.p_value(interval.low), .025, 1e-6) << a << " " << b;
        EXPECT_NEAR(estimate.p_value(interval.high), .025, 1e-6) << a << " " << b;
        EXPECT_GT(interval.low, estimate.interval(.99).low);
        EXPECT_LT(interval.high, estimate.interval(.99).high);
      }
}

TEST(RatioEstimate, IsExactFarOut) {
  EXPECT_GT(score(1e4, 1.3e4).p_value(), 0);
  EXPECT_LT(score(1e4, 1.3e4).p_value(), 1e-80);
  EXPECT_NEAR(score(1e4, 1.3e4).p_value() / score(1.3e4, 1e4).p_value(), 1, 1e-6);
}

// By hand: 400 samples in all of exposures 100 and 300. A ratio r means a = 400 / (100 + 300 r).
TEST(RatioEstimate, DifferencesHaveAnInterval) {
  RatioEstimate estimate({.rate = 1, .exposure = 100}, {.rate = 1, .exposure = 300});
  RatioInterval ratios = estimate.interval(.95);
  DifferenceInterval differences = estimate.difference_interval(.95);
  EXPECT_NEAR(differences.low, (ratios.low - 1) * 400 / (100 + 300 * ratios.low), 1e-12);
  EXPECT_NEAR(differences.high, (ratios.high - 1) * 400 / (100 + 300 * ratios.high), 1e-12);
  EXPECT_LT(differences.low, -.1);
  EXPECT_GT(differences.high, .1);
}

TEST(RatioEstimate, DifferencesAreCertainWhereRatiosAre) {
  for (double a : {0.0, 3.0, 40.0, 1e6})
    for (double b : {0.0, 5.0, 40.0, 2e6})
      for (const RatioEstimate& estimate :
           {poisson(a, b), score(a, b), RatioEstimate({a, 1}, {b, 1}, .02, 1.5, 6)}) {
        RatioInterval ratios = estimate.interval(.95);
        DifferenceInterval differences = estimate.difference_interval(.95);
        EXPECT_TRUE(std::isfinite(differences.low) && std::isfinite(differences.high));
        EXPECT_LE(differences.low, (b - a) + 1e-9 * (a + b)) << a << " " << b;
        EXPECT_GE(differences.high, (b - a) - 1e-9 * (a + b)) << a << " " << b;
        EXPECT_EQ(differences.low > 0, ratios.low > 1) << a << " " << b;
        EXPECT_EQ(differences.high < 0, ratios.high < 1) << a << " " << b;
      }
  EXPECT_EQ(poisson(0, 0).difference_interval(.95).high, 0);
}

// The score interval of a count of 100 is 82.2 to 121.6, by hand: 100 + 1.92 -+ 1.96 sqrt(100.96).
// How many samples the side without any could have had makes the inner end a little lower.
TEST(RatioEstimate, DifferencesAreNoMoreCertainThanTheSideThatHasSamples) {
  for (const RatioEstimate& estimate : {poisson(0, 100), score(0, 100)}) {
    DifferenceInterval fresh = estimate.difference_interval(.95);
    EXPECT_NEAR(fresh.high, 121.6, .1);
    EXPECT_LT(fresh.low, 82.3);
    EXPECT_GT(fresh.low, 78);
  }
  EXPECT_NEAR(poisson(100, 0).difference_interval(.95).low, -121.6, .1);
  // One sample more or less is no other matter.
  EXPECT_GT(poisson(1, 100).difference_interval(.95).high, 99 + 20);
  EXPECT_LT(poisson(1, 100).difference_interval(.95).low, 99 - 17);
}

// Exact, over all counts that are likely.
TEST(RatioEstimate, IntervalsOfDifferencesHoldTheTruth) {
  auto chance = [](double mean, int count) {
    return std::exp(count * std::log(mean) - mean - std::lgamma(count + 1));
  };
  for (double mean_a : {.5, 5.0, 30.0}) {
    constexpr double kMeanB = 30;
    double held = 0;
    for (int a = 0; a < 70; a++)
      for (int b = 1; b < 70; b++) {
        const DifferenceInterval interval = poisson(a, b).difference_interval(.95);
        if (interval.low <= kMeanB - mean_a && interval.high >= kMeanB - mean_a)
          held += chance(mean_a, a) * chance(kMeanB, b);
      }
    EXPECT_GT(held, .94) << mean_a;
    EXPECT_LT(held, .995) << mean_a;
  }
}

// Of x samples of n, and of y of m; as Comparer does it.
RatioEstimate shares(int x, int n, int y, int m) {
  const double room = std::max(1 - static_cast<double>(x + y) / (n + m), 1e-9);
  return RatioEstimate({static_cast<double>(x) / n, n / room},
                       {static_cast<double>(y) / m, m / room}, room);
}

double binomial_chance(double part, int n, int count) {
  if (part <= 0 || part >= 1) return count == (part <= 0 ? 0 : n) ? 1 : 0;
  return std::exp(std::lgamma(n + 1) - std::lgamma(count + 1) - std::lgamma(n - count + 1) +
                  count * std::log(part) + (n - count) * std::log1p(-part));
}

// By hand: 1.96 * sqrt(.95 * .05 / 200 * 2) = .0427, and sqrt(.5 * .5 / 50) * 1.96 = .139.
TEST(RatioEstimate, DifferencesOfSharesVaryAsPartsDo) {
  const DifferenceInterval exchanged = shares(190, 200, 10, 200).difference_interval(.95);
  EXPECT_NEAR(exchanged.low, -.9 - .0427, .015);
  EXPECT_NEAR(exchanged.high, -.9 + .0427, .015);
  const DifferenceInterval half = shares(0, 50, 25, 50).difference_interval(.95);
  EXPECT_NEAR(half.low, .5 - .139, .03);
  EXPECT_NEAR(half.high, .5 + .139, .03);
}

TEST(RatioEstimate, DifferencesOfSharesAreNeverBeyondTheWhole) {
  const DifferenceInterval gone = shares(50, 50, 0, 50).difference_interval(.95);
  EXPECT_EQ(gone.low, -1);
  EXPECT_LT(gone.high, -.9);
  EXPECT_GT(gone.high, -.95);
  for (int x : {0, 1, 25, 49, 50})
    for (int y : {0, 1, 100, 199, 200}) {
      const DifferenceInterval interval = shares(x, 50, y, 200).difference_interval(.95);
      const double found = y / 200.0 - x / 50.0;
      EXPECT_TRUE(-1 <= interval.low && interval.high <= 1) << x << " " << y;
      EXPECT_TRUE(interval.low <= found + 1e-9 && found - 1e-9 <= interval.high) << x << " " << y;
    }
}

// Of a share near nothing, the samples are as good as Poisson's.
TEST(RatioEstimate, DifferencesOfSmallSharesAreThoseOfCounts) {
  const DifferenceInterval part = shares(3, 1'000'000, 30, 1'000'000).difference_interval(.95);
  const DifferenceInterval count = poisson(3, 30).difference_interval(.95);
  EXPECT_NEAR(part.low * 1e6, count.low, 1e-3);
  EXPECT_NEAR(part.high * 1e6, count.high, 1e-3);
}

// Exact, over all counts.
TEST(RatioEstimate, IntervalsOfDifferencesOfSharesHoldTheTruth) {
  struct Case {
    double part_a, part_b;
    int n, m;
  };
  for (const Case& one :
       {Case{.95, .05, 60, 60}, Case{0, .5, 60, 60}, Case{0, .9, 60, 60}, Case{.5, .75, 60, 60},
        Case{.9, .6, 40, 120}, Case{.6, .9, 40, 120}, Case{.5, .95, 40, 120},
        Case{.02, .6, 120, 40}, Case{0, .1, 100, 100}, Case{1, 0, 60, 60}}) {
    double held = 0;
    for (int x = 0; x <= one.n; x++)
      for (int y = 0; y <= one.m; y++) {
        const double chance =
            binomial_chance(one.part_a, one.n, x) * binomial_chance(one.part_b, one.m, y);
        if (chance < 1e-9) continue;
        const DifferenceInterval interval = shares(x, one.n, y, one.m).difference_interval(.95);
        const double truth = one.part_b - one.part_a;
        if (interval.low <= truth && interval.high >= truth) held += chance;
      }
    EXPECT_GT(held, .93) << one.part_a << " " << one.part_b;
    EXPECT_LE(held, 1 + 1e-9) << one.part_a << " " << one.part_b;
  }
}

// A new row of a half of all, whose members differ by 10 %: by 10 % of itself, as the model has it
// with a room of 3/4, and room^2 of that is in `between`.
TEST(RatioEstimate, DifferencesOfSharesAreNoMoreCertainThanMembers) {
  const double room = .75, between = 2 * .1 * .1;
  const RatioEstimate fresh({0, 1e9 / room}, {.5, 1e9 / room}, between, 1, kInfinity, room);
  EXPECT_NEAR(fresh.difference_interval(.95).high, .5 * (1 + 1.96 * .1 * .5 / .75), 1e-3);
  EXPECT_NEAR(fresh.difference_interval(.95).low, .5 * (1 - 1.96 * .1 * .5 / .75), 1e-3);
}

// Of 10^6 samples, members that differ by 10 % tell how uncertain the rate is.
TEST(RatioEstimate, DifferencesAreNoMoreCertainThanMembers) {
  const RatioEstimate fresh({0, 1}, {1e6, 1}, 2 * .1 * .1, 1, kInfinity);
  EXPECT_NEAR(fresh.difference_interval(.95).high, 1.196e6, 1e4);
  EXPECT_NEAR(fresh.difference_interval(.95).low, .804e6, 1e4);
}

TEST(RatioEstimate, SidesCanBeExchanged) {
  RatioEstimate there({2, 50}, {3, 10}, .02, 1.5, 6), back({3, 10}, {2, 50}, .02, 1.5, 6);
  EXPECT_NEAR(there.p_value(), back.p_value(), 1e-9);
  EXPECT_NEAR(there.interval(.95).low * back.interval(.95).high, 1, 1e-9);
  RatioEstimate chance({2, 50}, {3, 10}), chance_back({3, 10}, {2, 50});
  EXPECT_NEAR(chance.p_value(), chance_back.p_value(), 1e-9);
  EXPECT_NEAR(chance.interval(.95).low * chance_back.interval(.95).high, 1, 1e-6);
}

// Of none against 20, the chance is 2^-20 in each direction.
TEST(RatioEstimate, NoneAgainstManyHasNoUpperEnd) {
  for (const RatioEstimate& estimate : {poisson(0, 20), score(0, 20)}) {
    EXPECT_EQ(estimate.ratio(), kInfinity);
    EXPECT_EQ(estimate.interval(.95).high, kInfinity);
    EXPECT_GT(estimate.interval(.95).low, 3);
    EXPECT_LT(estimate.interval(.95).low, 20);
    EXPECT_LT(estimate.p_value(), 1e-4);
  }
  EXPECT_NEAR(poisson(0, 20).p_value(), std::pow(2, -19), 1e-12);
  EXPECT_EQ(poisson(20, 0).ratio(), 0);
  EXPECT_EQ(poisson(20, 0).interval(.95).low, 0);
  EXPECT_LT(poisson(20, 0).interval(.95).high, 1.0 / 3);
}

TEST(RatioEstimate, NothingAgainstNothingSaysNothing) {
  for (const RatioEstimate& estimate : {poisson(0, 0), score(0, 0)}) {
    EXPECT_EQ(estimate.ratio(), 1);
    EXPECT_EQ(estimate.p_value(), 1);
    EXPECT_EQ(estimate.interval(.95).low, 0);
    EXPECT_EQ(estimate.interval(.95).high, kInfinity);
  }
}

// Members that are equal by accident: as certain as their samples, not more.
TEST(RatioEstimate, IsNeverMoreCertainThanSamples) {
  RatioEstimate equal({100, 1}, {130, 1}, 0, 0, 4);
  EXPECT_NEAR(equal.p_value(), score(100, 130).p_value(), 1e-12);
  EXPECT_NEAR(equal.interval(.95).low, score(100, 130).interval(.95).low, 1e-9);
}

// A side a hundred times as long: three samples where .4 are expected have an exact chance of .8 %,
// though they are four standard deviations out.
TEST(RatioEstimate, UnequalSidesAreNotTakenForNormal) {
  RatioEstimate estimate({.rate = .37, .exposure = 100}, {.rate = 3, .exposure = 1});
  EXPECT_GT(estimate.p_above(1), .002);
  EXPECT_LT(estimate.p_above(1), .01);
}

// More samples than can be computed with are cut, of both sides by the same factor.
TEST(RatioEstimate, SoManySamplesKeepTheirRatio) {
  RatioEstimate equal({.rate = 1, .exposure = 1e15}, {.rate = 1, .exposure = 1e14});
  EXPECT_LT(equal.interval(.95).low, 1);
  EXPECT_GT(equal.interval(.95).low, .999);
  EXPECT_GT(equal.interval(.95).high, 1);
  EXPECT_LT(equal.interval(.95).high, 1.001);
  EXPECT_NEAR(equal.p_value(), 1, 1e-3);
  RatioEstimate more({.rate = 1, .exposure = 1e15}, {.rate = 1.1, .exposure = 1e14});
  EXPECT_GT(more.interval(.95).low, 1.09);
  EXPECT_LT(more.interval(.95).high, 1.11);
  EXPECT_LT(more.p_value(), 1e-6);
}

TEST(RatioEstimate, IsANumberAtTheEnds) {
  double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::min();
  for (double a : {0.0, least, 1e-9, 1.0, 1e18, 1e100})
    for (double b : {0.0, least, 1e-9, 1.0, 1e18, 1e100})
      for (const RatioEstimate& estimate :
           {poisson(a, b), score(a, b), RatioEstimate({a, 1}, {b, 1}, 1e-30, 1, .01),
            RatioEstimate({a, 1e-18}, {b, 1e18}, 1e6, 1e6, 1e9)})
        for (double ratio : {0.0, least, 1.0, most, kInfinity}) {
          RatioInterval interval = estimate.interval(.95);
          EXPECT_LE(interval.low, estimate.ratio() * (1 + 1e-9)) << a << " " << b;
          EXPECT_GE(interval.high * (1 + 1e-9), estimate.ratio()) << a << " " << b;
          EXPECT_GE(estimate.p_value(ratio), 0) << a << " " << b << " " << ratio;
          EXPECT_LE(estimate.p_value(ratio), 1) << a << " " << b << " " << ratio;
        }
}

}  // namespace
}  // namespace pgo::verify::ratio_estimate_test
