// Are comparisons honest? A quick version of tests/bench/diff_simulation.cc, with the same fleets.
#include "tests/data/simulated_fleet.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pgo/verify/comparison.h"

namespace pgo::verify::simulated_fleet_test {
namespace {

constexpr uint64_t kSeeds = 100;

struct Found {
  double covered = 0, rows = 0, any = 0;
};

Found without_change(const FleetOptions& options) {
  Found found;
  for (uint64_t seed = 1; seed <= kSeeds; seed++) {
    Fleet fleet = simulate_fleet(options, seed);
    Result<Comparison> comparison = compare(fleet.before, fleet.after, {});
    if (!comparison) return {};
    bool any = false;
    for (const RowComparison& row : comparison->rows) {
      if (row.verdict == Verdict::kTooThin) continue;
      RatioInterval interval = row.estimate.interval(.95);
      found.covered += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
      found.rows++;
      any = any || row.verdict == Verdict::kChanged;
    }
    found.any += any ? 1 : 0;
  }
  return found;
}

// Rows of a table depend on each other: of a hundred tables, 95 % is known to 1 % or so. 14 is
// 5 % of a hundred and four standard deviations.
void expect_honest(const Found& found) {
  ASSERT_GT(found.rows, 0);
  EXPECT_GT(found.covered / found.rows, .92);
  EXPECT_LT(found.covered / found.rows, .98);
  EXPECT_LE(found.any, 14);
}

TEST(SimulatedFleet, ThreeMembersApart) {
  expect_honest(without_change({.functions = 60, .hosts = 3}));
}
TEST(SimulatedFleet, ThreePairs) {
  expect_honest(without_change({.functions = 60, .hosts = 3, .same_hosts = true}));
}
TEST(SimulatedFleet, TenMembersApart) {
  expect_honest(without_change({.functions = 60, .hosts = 10}));
}
TEST(SimulatedFleet, HostsOfManyHours) {
  expect_honest(without_change({.functions = 60, .hosts = 4, .hours = 4}));
}

TEST(SimulatedFleet, AChangeOfAFunctionIsFound) {
  Fleet fleet = simulate_fleet(
      {.functions = 60, .hosts = 10, .same_hosts = true, .changed = 1, .factor = 1.2}, 1);
  Result<Comparison> comparison = compare(fleet.before, fleet.after, {});
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->rows[1].verdict, Verdict::kChanged);
  EXPECT_NEAR(comparison->rows[1].estimate.ratio(), 1.2 / 1.01, .1);  // its standard error is .025
}

TEST(SimulatedFleet, SharesAreOneAndTheSameEverywhere) {
  FleetOptions options;
  double sum = 0;
  for (double share : shares_of(options)) sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
  // Drawn by arithmetic that every machine has alike.
  Fleet fleet = simulate_fleet(options, 1);
  EXPECT_EQ(fleet.before.members[0].samples, 10970);
}

}  // namespace
}  // namespace pgo::verify::simulated_fleet_test
