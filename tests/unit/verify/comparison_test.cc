#include "pgo/verify/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pgo/verify/distribution.h"

namespace pgo::verify::comparison_test {
namespace {

// Rows of counts by member. What the rows lack of a member's `samples` is in no row.
Side side_of(std::vector<Member> members, const std::vector<std::vector<double>>& counts,
             double samples, double weight = 1) {
  for (Member& member : members) {
    member.samples = samples;
    member.weight = samples * weight;
  }
  Side side{std::move(members), {}};
  for (const std::vector<double>& row : counts) {
    for (uint32_t m = 0; m < row.size(); m++)
      if (row[m] > 0) side.rows.push({row[m] * weight, static_cast<float>(row[m]), m});
    side.rows.end_list();
  }
  return side;
}

std::vector<Member> unnamed(size_t count) { return std::vector<Member>(count); }

std::vector<Member> hosts(size_t count) {
  std::vector<Member> members;
  for (size_t i = 0; i < count; i++) members.push_back({.host = "host" + std::to_string(i)});
  return members;
}

Comparison compared(const Side& a, const Side& b, const CompareOptions& options = {}) {
  Result<Comparison> comparison = compare(a, b, options);
  EXPECT_TRUE(comparison);
  return *std::move(comparison);
}

TEST(Comparison, OneProfileASideKnowsOnlySampling) {
  Side a = side_of(unnamed(1), {{1000}, {1000}, {1000}}, 10'000);
  Side b = side_of(unnamed(1), {{1010}, {1500}, {0}}, 10'000);
  Comparison comparison = compared(a, b);
  EXPECT_EQ(comparison.basis, Basis::kSampling);
  EXPECT_EQ(comparison.rows[0].verdict, Verdict::kNoise);
  EXPECT_EQ(comparison.rows[1].verdict, Verdict::kOnlySamplingKnown);
  EXPECT_EQ(comparison.rows[2].verdict, Verdict::kOnlySamplingKnown);
  EXPECT_NEAR(comparison.rows[1].rate_a, .1, 1e-12);
  EXPECT_NEAR(comparison.rows[1].difference(), .05, 1e-12);
  EXPECT_NEAR(comparison.rows[1].estimate.ratio(), 1.5, 1e-12);
  EXPECT_EQ(comparison.rows[2].estimate.ratio(), 0);
  // The logarithm's variance is (1 - share) / count, summed.
  RatioInterval interval = comparison.rows[1].estimate.interval(.95);
  double error = std::sqrt(.875 / 1000 + .875 / 1500);
  EXPECT_NEAR(std::log(interval.high / 1.5), 1.96 * error, .002);
  EXPECT_NEAR(std::log(1.5 / interval.low), 1.96 * error, .002);
}

// By hand: rates 10 and 20, relative variance .01 on both sides, so that of the difference is
// .00667. z(r) = ((1 + r) / 3) (2 / r - 1) / .08165 is Student's t of 4 degrees of freedom, 2.776,
// at 1.5832 and 2.4849.
TEST(Comparison, MembersApartAreStudents) {
  Side a = everything({{.weight = 9e9, .samples = 9e9},
                       {.weight = 10e9, .samples = 10e9},
                       {.weight = 11e9, .samples = 11e9}});
  Side b = everything({{.weight = 18e9, .samples = 18e9},
                       {.weight = 20e9, .samples = 20e9},
                       {.weight = 22e9, .samples = 22e9}});
  Comparison comparison = compared(a, b, {.measure = Measure::kTotal});
  EXPECT_EQ(comparison.basis, Basis::kMembers);
  const RowComparison& row = comparison.rows[0];
  EXPECT_NEAR(row.rate_a, 10e9, 1);
  EXPECT_NEAR(row.estimate.ratio(), 2, 1e-12);
  EXPECT_NEAR(row.estimate.interval(.95).low, 1.5832, 2e-4);
  EXPECT_NEAR(row.estimate.interval(.95).high, 2.4849, 2e-4);
  EXPECT_EQ(row.verdict, Verdict::kChanged);
}

// By hand: the relative difference is .08 of the mean, its error .0160128, t = 4.996 of 2 degrees
// of freedom: p = 1 - t / sqrt(2 + t^2) = .0378.
TEST(Comparison, PairsAreStudentsOfDifferences) {
  auto side = [](double x, double y, double z) {
    return everything({{.host = "x", .weight = x, .samples = x},
                       {.host = "y", .weight = y, .samples = y},
                       {.host = "z", .weight = z, .samples = z}});
  };
  Side a = side(10e9, 20e9, 30e9), b = side(11e9, 21e9, 33e9);
  Comparison comparison = compared(a, b, {.measure = Measure::kTotal});
  EXPECT_EQ(comparison.basis, Basis::kPairs);
  EXPECT_NEAR(comparison.rows[0].p, .0378, 1e-4);
  EXPECT_EQ(comparison.rows[0].verdict, Verdict::kChanged);
  // The hosts themselves differ far more.
  EXPECT_GT(compared(a, b, {.measure = Measure::kTotal, .pairing = Pairing::kNever}).rows[0].p, .8);
}

TEST(Comparison, CostPerUnitOfWork) {
  auto side = [](double cost) {
    std::vector<Member> members;
    for (double host : {.97, 1.0, 1.02, 1.01})
      members.push_back({.weight = cost * host * 1e6, .samples = 1e8, .units = 1e3});
    return everything(members);
  };
  const RowComparison row = compared(side(5), side(6), {.measure = Measure::kPerUnit}).rows[0];
  EXPECT_NEAR(row.rate_a, 5000, 1e-6);
  EXPECT_NEAR(row.estimate.ratio(), 1.2, 1e-9);
  EXPECT_LT(row.estimate.interval(.975).low, row.estimate.interval(.95).low);
  EXPECT_GT(row.estimate.interval(.975).low, 1.1);
  EXPECT_LT(row.estimate.p_above(1.01), .025);
  EXPECT_GT(row.estimate.p_above(1.2), .4);
}

TEST(Comparison, ThinRowsAreNeverFindings) {
  double samples = 1e6;
  // 900 of a million, and all of 35 samples where 35 were of a thousand in all
  Side a = side_of(unnamed(3), {{10, 10, 10}, {2e5, 2e5, 2e5}}, samples);
  Side b = side_of(unnamed(3), {{900, 900, 900}, {2e5, 2e5, 2e5}}, samples);
  Comparison comparison = compared(a, b);
  EXPECT_EQ(comparison.rows[0].verdict, Verdict::kTooThin);
  EXPECT_LT(comparison.rows[0].p, 1e-6);
  EXPECT_EQ(comparison.rows[0].q, 1);
  EXPECT_EQ(comparison.rows[1].verdict, Verdict::kNoise);
  Side large = side_of(unnamed(3), {{2100, 2100, 2100}, {2e5, 2e5, 2e5}}, samples);
  EXPECT_EQ(compared(a, large).rows[0].verdict, Verdict::kChanged);

  Side few = side_of(unnamed(1), {{0}}, 1000), some = side_of(unnamed(1), {{35}}, 1000);
  EXPECT_EQ(compared(few, some).rows[0].verdict, Verdict::kTooThin);
  Side more = side_of(unnamed(1), {{45}}, 1000);
  EXPECT_EQ(compared(few, more).rows[0].verdict, Verdict::kOnlySamplingKnown);
}

// The mean of both shares is above a thousandth, but all samples together are not: the small side
// has more by chance.
TEST(Comparison, ThinIsByAllSamplesOfBothSides) {
  Side large = side_of(unnamed(1), {{900}, {1010}}, 1e6);
  Side small = side_of(unnamed(1), {{120}, {95}}, 1e5);
  for (bool swap : {false, true}) {
    Comparison comparison = swap ? compared(small, large) : compared(large, small);
    EXPECT_EQ(comparison.rows[0].verdict, Verdict::kTooThin);
    EXPECT_EQ(comparison.rows[1].verdict, Verdict::kNoise);  // the mean is .00098
  }
}

TEST(Comparison, ThinRowsDoNotCountAmongTheTests) {
  std::vector<std::vector<double>> counts(100, {1.0}), fat = counts;
  counts[0] = {1000}, fat[0] = {1150};
  Comparison comparison = compared(side_of(unnamed(1), counts, 1e4), side_of(unnamed(1), fat, 1e4));
  EXPECT_EQ(comparison.rows[0].q, comparison.rows[0].p);
}

TEST(Comparison, ARowOfOneSideOnlyIsAFinding) {
  std::vector<std::vector<double>> before(30, {1000, 1100, 900}), after = before;
  before[0] = {0, 0, 0};
  after[1] = {0, 0, 0};
  Comparison comparison =
      compared(side_of(unnamed(3), before, 1e5), side_of(unnamed(3), after, 1e5));
  EXPECT_EQ(comparison.rows[0].verdict, Verdict::kChanged);
  EXPECT_TRUE(std::isinf(comparison.rows[0].estimate.ratio()));
  EXPECT_GT(comparison.rows[0].estimate.interval(.95).low, 10);
  EXPECT_EQ(comparison.rows[1].verdict, Verdict::kChanged);
  EXPECT_EQ(comparison.rows[1].estimate.ratio(), 0);
  EXPECT_LT(comparison.rows[1].estimate.interval(.95).high, .1);
  DifferenceInterval fresh = comparison.rows[0].difference_interval(.95);
  EXPECT_GT(fresh.low, .005);
  EXPECT_LT(fresh.low, .009);
  EXPECT_GT(fresh.high, .0105);
  EXPECT_LT(fresh.high, .015);
  DifferenceInterval gone = comparison.rows[1].difference_interval(.95);
  EXPECT_NEAR(gone.low, -fresh.high, 1e-3);
  EXPECT_LT(gone.high, -.005);
  for (size_t row = 2; row < 30; row++) EXPECT_EQ(comparison.rows[row].verdict, Verdict::kNoise);
}

TEST(Comparison, EqualSidesHaveNoFindings) {
  std::vector<std::vector<double>> counts;
  for (int row = 0; row < 40; row++)
    counts.push_back({500.0 + row, 520.0 - 3 * row, 480.0 + 2 * row});
  for (const std::vector<Member>& members : {unnamed(3), hosts(3)}) {
    Side side = side_of(members, counts, 1e5);
    for (const RowComparison& row : compared(side, side).rows) {
      EXPECT_EQ(row.verdict, Verdict::kNoise);
      EXPECT_EQ(row.estimate.ratio(), 1);
      EXPECT_NEAR(row.p, 1, 1e-9);
      EXPECT_EQ(row.difference(), 0);
    }
  }
}

// A host of a canary has no variance of its own: it takes that of the other side.
TEST(Comparison, OneHostAgainstManyRestsOnTheMany) {
  std::vector<std::vector<double>> many(20, {900, 1100, 950, 1050, 1000}), one(20, {1000.0});
  one[0] = {2000};
  one[1] = {1100};
  Comparison comparison = compared(side_of(unnamed(5), many, 1e5), side_of(unnamed(1), one, 1e5));
  EXPECT_EQ(comparison.basis, Basis::kMembers);
  EXPECT_EQ(comparison.rows[0].verdict, Verdict::kChanged);
  EXPECT_EQ(comparison.rows[1].verdict, Verdict::kNoise);
}

// What is new on a canary of one host says nothing of how hosts differ.
TEST(Comparison, RowsOfACanaryOnlyTeachNothing) {
  std::vector<std::vector<double>> before, after;
  for (int row = 0; row < 20; row++) {
    before.push_back({900.0 + 9 * row, 1100.0 - 3 * row, 950.0 + 70 * (row % 3), 1050, 1000});
    after.push_back({1010.0 - 11 * (row % 4)});
  }
  Comparison rows = compared(side_of(unnamed(5), before, 1e5), side_of(unnamed(1), after, 1e5));
  for (int row = 0; row < 12; row++) {
    before.push_back({0, 0, 0, 0, 0});
    after.push_back({2000});
  }
  Comparison more = compared(side_of(unnamed(5), before, 1e5), side_of(unnamed(1), after, 1e5));
  EXPECT_EQ(more.trend.between, rows.trend.between);
  EXPECT_EQ(more.trend.point_freedom, rows.trend.point_freedom);
  for (size_t row = 0; row < 20; row++) EXPECT_EQ(rows.rows[row].p, more.rows[row].p);
}

// In pairs, hosts' own differences cancel; those of what is new do not.
TEST(Comparison, RowsOfOneSideTeachPairsNothing) {
  std::vector<std::vector<double>> before, after;
  for (int row = 0; row < 20; row++) {
    before.push_back({2000.0 + 9 * row, 1500, 1000.0 - 3 * row, 700});
    after.push_back({2300.0 + 9 * row, 1300.0 + 40 * (row % 7), 1200.0 - 13 * row, 690});
  }
  Comparison rows = compared(side_of(hosts(4), before, 1e5), side_of(hosts(4), after, 1e5));
  for (int row = 0; row < 20; row++) {
    before.push_back(row % 2 == 0 ? std::vector<double>{2000, 1500, 1000, 700}
                                  : std::vector<double>(4));
    after.push_back(row % 2 == 1 ? std::vector<double>{2000, 1500, 1000, 700}
                                 : std::vector<double>(4));
  }
  Comparison more = compared(side_of(hosts(4), before, 1e5), side_of(hosts(4), after, 1e5));
  EXPECT_EQ(more.basis, Basis::kPairs);
  EXPECT_EQ(more.trend.between, rows.trend.between);
  EXPECT_EQ(more.prior.scale, rows.prior.scale);
  for (size_t row = 0; row < 20; row++) EXPECT_EQ(rows.rows[row].p, more.rows[row].p);
  for (size_t row = 20; row < 40; row++) EXPECT_EQ(more.rows[row].verdict, Verdict::kChanged);
}

// ... and of a function that only the canary has, nothing is known but the chance of sampling, when
// there are no other rows to learn from.
TEST(Comparison, ARowOfOneHostOnlyKnowsOnlySampling) {
  Side many = side_of(unnamed(3), {{0, 0, 0}}, 1e4), one = side_of(unnamed(1), {{1000}}, 1e4);
  EXPECT_EQ(compared(many, one).rows[0].verdict, Verdict::kOnlySamplingKnown);
}

// Everything in `cells` and `members` the other way round.
Side reversed(const Side& side) {
  Side result;
  result.members.assign(side.members.rbegin(), side.members.rend());
  auto last = static_cast<uint32_t>(side.members.size() - 1);
  for (size_t row = 0; row < side.rows.size(); row++) {
    for (const Cell& cell : side.rows[row])
      result.rows.push({cell.value, cell.samples, last - cell.member});
    result.rows.end_list();
  }
  return result;
}

TEST(Comparison, TheOrderOfMembersChangesNoBit) {
  std::vector<std::vector<double>> before, after;
  for (int row = 0; row < 30; row++) {
    before.push_back({300.0 + row, 410.0 - row, 377.0, 512.0 + 3 * row, 450.0});
    after.push_back({390.0, 420.0 + row, 333.0 + 2 * row, 480.0, 461.0 - row});
  }
  for (const std::vector<Member>& members : {unnamed(5), hosts(5)}) {
    Side a = side_of(members, before, 2e4, 1.7e6), b = side_of(members, after, 2e4, 1.3e6);
    Comparison one = compared(a, b), other = compared(reversed(a), reversed(b));
    for (size_t row = 0; row < one.rows.size(); row++) {
      EXPECT_EQ(one.rows[row].p, other.rows[row].p);
      EXPECT_EQ(one.rows[row].q, other.rows[row].q);
      EXPECT_EQ(one.rows[row].estimate.ratio(), other.rows[row].estimate.ratio());
      EXPECT_EQ(one.rows[row].estimate.interval(.95).low,
                other.rows[row].estimate.interval(.95).low);
    }
  }
}

// What a cumulative table has: rows that are (almost) all there is.
TEST(Comparison, ARowThatIsEverythingDoesNotChange) {
  Side a = side_of(unnamed(3), {{1e4, 1e4, 1e4}, {9990, 9980, 9985}}, 1e4);
  Side b = side_of(unnamed(3), {{1e4, 1e4, 1e4}, {9985, 9988, 9979}}, 1e4);
  Comparison comparison = compared(a, b);
  EXPECT_EQ(comparison.rows[0].verdict, Verdict::kNoise);
  EXPECT_NEAR(comparison.rows[0].estimate.interval(.95).low, 1, 1e-3);
  EXPECT_NEAR(comparison.rows[0].estimate.interval(.95).high, 1, 1e-3);
  EXPECT_EQ(comparison.rows[1].verdict, Verdict::kNoise);
  EXPECT_LT(comparison.rows[1].estimate.interval(.95).high, 1.01);
}

TEST(Comparison, ARowThatIsEverythingOfUnequalProfilesDoesNotChange) {
  for (double share : {1.0, .9999}) {
    Side a = side_of(unnamed(1), {{share * 1e6}}, 1e6);
    Side b = side_of(unnamed(1), {{share * 1e5}}, 1e5);
    const RowComparison row = compared(a, b).rows[0];
    EXPECT_EQ(row.verdict, Verdict::kNoise);
    EXPECT_GT(row.p, .9);
    EXPECT_LE(row.estimate.interval(.95).low, 1);
    EXPECT_GE(row.estimate.interval(.95).high, 1);
    EXPECT_LT(row.estimate.interval(.95).high, 1.001);
  }
}

TEST(Comparison, ARowThatIsEverythingTeachesNothing) {
  std::vector<std::vector<double>> before, after;
  for (int row = 0; row < 15; row++) {
    before.push_back({300.0 + 7 * row, 410.0 - row, 377.0 + 20 * (row % 3)});
    after.push_back({390.0 - 5 * (row % 4), 420.0 + row, 333.0 + 2 * row});
  }
  Comparison rows = compared(side_of(unnamed(3), before, 2e4), side_of(unnamed(3), after, 2e4));
  before.push_back({2e4, 2e4, 2e4});
  after.push_back({2e4, 2e4, 2e4});
  Comparison more = compared(side_of(unnamed(3), before, 2e4), side_of(unnamed(3), after, 2e4));
  for (size_t row = 0; row < 15; row++) EXPECT_EQ(rows.rows[row].p, more.rows[row].p);
}

void expect_numbers(const Comparison& comparison) {
  for (const RowComparison& row : comparison.rows) {
    RatioInterval interval = row.estimate.interval(.95);
    DifferenceInterval difference = row.difference_interval(.95);
    for (double value : {row.rate_a, row.rate_b, row.p, row.q, row.difference(), interval.low,
                         interval.high, row.estimate.ratio()})
      EXPECT_FALSE(std::isnan(value));
    EXPECT_TRUE(std::isfinite(difference.low) && std::isfinite(difference.high));
    EXPECT_LE(difference.low, difference.high);
    EXPECT_LE(interval.low, row.estimate.ratio() * (1 + 1e-6));
    EXPECT_GE(interval.high * (1 + 1e-6), row.estimate.ratio());
    EXPECT_GE(row.p, 0);
    EXPECT_LE(row.p, row.q);
    EXPECT_LE(row.q, 1);
  }
}

// Counts saturate at the largest 64-bit integer; all that there is may be in one row, or in none.
TEST(Comparison, IsANumberAtTheEnds) {
  double most = static_cast<double>(std::numeric_limits<uint64_t>::max());
  for (double samples : {1.0, 100.0, 1e6})
    for (double weight : {1e-6, 1.0, most})
      for (size_t members : {size_t{1}, size_t{2}, size_t{5}}) {
        std::vector<double> all(members, samples), none(members, 0.0), one = none, half = all;
        one[0] = samples;
        for (double& count : half) count /= 2;
        Side a = side_of(hosts(members), {all, all, none, none, one, half}, samples, weight);
        Side b = side_of(hosts(members), {all, none, all, none, half, one}, samples);
        for (Measure measure : {Measure::kShare, Measure::kTotal})
          for (Pairing pairing : {Pairing::kWherePossible, Pairing::kNever})
            expect_numbers(compared(a, b, {.measure = measure, .pairing = pairing}));
      }
}

TEST(Comparison, SaysWhatIsLeftOut) {
  Side a = side_of(hosts(4), {{1, 1, 1, 1}}, 100), b = side_of(hosts(5), {{1, 1, 1, 1, 1}}, 100);
  Comparison comparison = compared(a, b);
  EXPECT_EQ(comparison.basis, Basis::kPairs);
  EXPECT_TRUE(comparison.left_out_a.empty());
  EXPECT_EQ(comparison.left_out_b, (std::vector<LeftOut>{{4, LeftOutReason::kNoPartner}}));
}

TEST(Comparison, RefusesSidesOfOtherRows) {
  Side a = side_of(unnamed(1), {{1}}, 10), b = side_of(unnamed(1), {{1}, {2}}, 10);
  Result<Comparison> comparison = compare(a, b, {});
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().message, "the two sides of a comparison have different rows");
}

}  // namespace
}  // namespace pgo::verify::comparison_test
