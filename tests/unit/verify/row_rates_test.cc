#include "pgo/verify/row_rates.h"

#include <gtest/gtest.h>

namespace pgo::verify::row_rates_test {
namespace {

// Members of the given loads; row 0 has these rates, each sample of weight 1.
Side side_of(const std::vector<double>& loads, const std::vector<double>& rates,
             const char* host = "") {
  Side side;
  for (uint32_t m = 0; m < loads.size(); m++) {
    std::string name = *host ? host + std::to_string(m) : "";
    side.members.push_back(
        {.host = name, .weight = loads[m], .samples = loads[m], .units = loads[m]});
    double value = loads[m] * rates[m];
    if (value > 0) side.rows.push({value, static_cast<float>(value), m});
  }
  side.rows.end_list();
  return side;
}

struct Read {
  Side a, b;
  MemberDesign design;
  RowRates row;
  Variance variance;
  TrendPoint point;
};

Read read(Side a, Side b, const VarianceTrend& trend, Measure measure = Measure::kPerUnit) {
  Result<MemberDesign> design = design_members(a, b, measure, Pairing::kWherePossible);
  EXPECT_TRUE(design);
  Read result{std::move(a), std::move(b), *std::move(design), {}, {}, {}};
  RowReader reader(result.a, result.b, result.design, measure);
  result.row = reader.read(0);
  result.variance = reader.variance(trend);
  result.point = reader.trend_point();
  return result;
}

// By hand: relative rates .9, 1 and 1.1 on one side, .8, 1 and 1.2 on the other.
TEST(RowRates, EqualLoadsHaveThePlainVariance) {
  Read found = read(side_of({1e3, 1e3, 1e3}, {.09, .1, .11}),
                    side_of({1e3, 1e3, 1e3}, {.16, .2, .24}), {.between = 1, .sampling = 0});
  EXPECT_NEAR(found.row.a.rate, .1, 1e-12);
  EXPECT_NEAR(found.row.b.rate, .2, 1e-12);
  EXPECT_NEAR(found.row.b.samples, 600, 1e-3);
  EXPECT_NEAR(found.row.heavier, 1, 1e-6);
  EXPECT_NEAR(found.row.pooled, .15, 1e-12);
  EXPECT_NEAR(found.variance.value, (.01 + .04) / 2, 1e-12);
  EXPECT_NEAR(found.variance.freedom, 4, 1e-9);
  // 100 samples a member on one side, 200 on the other
  EXPECT_NEAR(found.point.poisson, (.01 + .005) / 2, 1e-9);
}

// By hand: a = (3/4, 1/4), y = (.1, .2) / .125 = (.8, 1.6), e = (-.2, .6): Q = .0225 + .0225. With
// f = 1: F = 10/16, E[Q] = 9/16 (1 - 6/4 + F) + 1/16 (1 - 2/4 + F). Two clusters have one degree
// of freedom, whatever they weigh.
TEST(RowRates, UnequalLoadsContributeByTheirWeight) {
  Read found =
      read(side_of({3e3, 1e3}, {.1, .2}), side_of({1e3}, {.1}), {.between = 1, .sampling = 0});
  double expected = 9.0 / 16 * (-.5 + .625) + 1.0 / 16 * (.5 + .625);
  EXPECT_NEAR(found.variance.value, .045 / expected, 1e-9);
  EXPECT_NEAR(found.variance.freedom, 1, 1e-9);
}

// Satterthwaite's degrees of freedom, by the definition: 2 E[Q]^2 / Var(Q) of Q = y' B y.
TEST(RowRates, DegreesOfFreedomAreSatterthwaites) {
  std::vector<double> loads = {1e3, 2e3, 5e3, 2e3}, part = {.1, .2, .5, .2};
  Read found =
      read(side_of(loads, {.1, .1, .2, .3}), side_of({1e3}, {.1}), {.between = 1, .sampling = 0});
  double trace = 0, product = 0;
  double b[4][4] = {};
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < 4; c++)
      for (int d = 0; d < 4; d++)
        b[c][d] += part[k] * part[k] * ((k == c) - part[c]) * ((k == d) - part[d]);
  for (int c = 0; c < 4; c++) {
    trace += b[c][c];
    for (int d = 0; d < 4; d++) product += b[c][d] * b[d][c];
  }
  EXPECT_NEAR(found.variance.freedom, trace * trace / product, 1e-9);
}

// By hand: y_b - y_a = (.0076923, -.0307692, .0230769).
TEST(RowRates, PairsVaryByTheirDifferences) {
  Read found =
      read(side_of({1e3, 1e3, 1e3}, {.1, .2, .3}, "host"),
           side_of({1e3, 1e3, 1e3}, {.11, .21, .33}, "host"), {.between = 1, .sampling = 0});
  EXPECT_NEAR(found.variance.value, 7.6923e-4, 1e-7);
  EXPECT_NEAR(found.variance.freedom, 2, 1e-9);
}

// A share of 80 % can rise by a quarter only: its relative variance counts 1 / .2^2 times.
TEST(RowRates, SharesNearOneHaveLittleRoom) {
  Read found = read(side_of({1e4, 1e4}, {.79, .81}), side_of({1e4, 1e4}, {.78, .82}),
                    {.between = 1, .sampling = 0}, Measure::kShare);
  EXPECT_NEAR(found.row.room, .2, 1e-9);
  double a = .01 / .8, b = .02 / .8;
  EXPECT_NEAR(found.variance.value, (2 * a * a + 2 * b * b) / 2 / .04, 1e-6);
}

// A row of few heavy samples is worth these few.
TEST(RowRates, HeavySamplesCountAsOften) {
  Side a = side_of({1e3}, {.1}), b = side_of({1e3}, {.1});
  a.rows = {}, b.rows = {};
  a.rows.push({100, 10, 0}), a.rows.end_list();
  b.rows.push({100, 10, 0}), b.rows.end_list();
  EXPECT_NEAR(read(a, b, {}).row.heavier, 10, 1e-6);
}

TEST(RowRates, ASideWithoutTheRowDoesNotVary) {
  Read found = read(side_of({1e3, 1e3, 1e3}, {0, 0, 0}), side_of({1e3, 1e3}, {.1, .2}),
                    {.between = 1, .sampling = 0});
  EXPECT_EQ(found.row.a.rate, 0);
  EXPECT_NEAR(found.variance.freedom, 1, 1e-9);
  Read nothing = read(side_of({1e3, 1e3}, {0, 0}), side_of({1e3, 1e3}, {0, 0}), {});
  EXPECT_EQ(nothing.variance.freedom, 0);
  EXPECT_EQ(nothing.point.variance, 0);
}

}  // namespace
}  // namespace pgo::verify::row_rates_test
