// Are verdicts honest? A quick version of tests/bench/verdict_simulation.cc, with the same fleets.
#include "tests/data/simulated_release.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "tests/data/changed_mix.h"

namespace pgo::simulated_release_test {
namespace {

uint64_t failures(const verify::FleetOptions& options, verify::Measure measure) {
  uint64_t failed = 0;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    Result<VerifyResult> result = judge_fleet(verify::simulate_fleet(options, seed), measure, {});
    EXPECT_TRUE(result);
    failed += result && result->outcome == Outcome::kFail ? 1 : 0;
  }
  return failed;
}

// 14 is 5 % of a hundred and four standard deviations.
TEST(SimulatedRelease, RarelyFailsWithoutAChange) {
  EXPECT_LE(failures({.functions = 60, .hosts = 3}, verify::Measure::kPerUnit), 14u);
  EXPECT_LE(failures({.functions = 60, .hosts = 10, .same_hosts = true}, verify::Measure::kPerUnit),
            14u);
  EXPECT_LE(failures({.functions = 60, .hosts = 5}, verify::Measure::kShare), 14u);
}

TEST(SimulatedRelease, TakesAChangedMixForNoRegression) {
  const verify::FleetOptions options{.functions = 60, .hosts = 40, .same_hosts = true};
  uint64_t failed = 0, failed_standardized = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    const ChangedMix mix = simulate_changed_mix(options, seed);
    for (verify::Measure measure : {verify::Measure::kPerUnit, verify::Measure::kShare}) {
      Result<VerifyResult> plain = judge_fleet(without_kinds(mix), measure, {});
      Result<verify::Fleet> fleet = standardized_fleet(mix, measure);
      ASSERT_TRUE(plain && fleet);
      Result<VerifyResult> standardized = judge_fleet(*fleet, measure, {});
      ASSERT_TRUE(standardized);
      failed += plain->outcome == Outcome::kFail ? 1 : 0;
      failed_standardized += standardized->outcome == Outcome::kFail ? 1 : 0;
    }
  }
  // Per unit, all 20 fail without the label.
  EXPECT_GE(failed, 20u);
  EXPECT_LE(failed_standardized, 4u);
}

// Of 50 seeds, how often the last of several releases fails.
uint64_t failures_of_the_last(const verify::FleetOptions& options, const SideChange& change) {
  uint64_t failed = 0;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    const std::vector<verify::Side> releases = verify::simulate_releases(options, 6, seed);
    Result<EarlierFleets> earlier = EarlierFleets::compare(
        std::span(releases).first(5), releases.back(), verify::Measure::kPerUnit);
    EXPECT_TRUE(earlier);
    if (!earlier) return 50;
    Result<VerifyResult> result = earlier->judge(changed_side(releases.back(), change), {});
    EXPECT_TRUE(result);
    failed += result && result->outcome == Outcome::kFail ? 1 : 0;
  }
  return failed;
}

// 9 is 5 % of fifty and four standard deviations.
TEST(SimulatedRelease, DiffersNoMoreThanEarlierOnes) {
  const verify::FleetOptions releases{
      .functions = 60, .hosts = 5, .same_hosts = true, .release_sd = .03, .function_sd = .1};
  EXPECT_LE(failures_of_the_last(releases, {}), 9u);
  EXPECT_GE(failures_of_the_last(releases, {.cost = 1.3}), 25u);
}

TEST(SimulatedRelease, FailsByAFunctionThatDoubled) {
  const verify::FleetOptions doubled{
      .functions = 60, .hosts = 10, .same_hosts = true, .changed = 1, .factor = 2};
  Result<VerifyResult> result =
      judge_fleet(verify::simulate_fleet(doubled, 1), verify::Measure::kShare, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::kFail);
  ASSERT_FALSE(result->functions.grown.empty());
  EXPECT_EQ(result->functions.grown[0].row, 1u);
}

}  // namespace
}  // namespace pgo::simulated_release_test
