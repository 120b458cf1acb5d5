#include "pgo/verify/distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pgo::verify::distribution_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// From printed tables of Student's t.
TEST(Distribution, HasTheQuantilesOfTables) {
  EXPECT_NEAR(student_t_quantile(.975, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_t_quantile(.975, 4), 2.776, 5e-4);
  EXPECT_NEAR(student_t_quantile(.95, 10), 1.812, 5e-4);
  EXPECT_NEAR(student_t_quantile(.975, kInfinity), 1.960, 5e-4);
  EXPECT_NEAR(student_t_quantile(.025, 4), -2.776, 5e-4);
}

TEST(Distribution, TailsAreTheInverseOfQuantiles) {
  for (double freedom : {.5, 1.0, 3.7, 40.0, 1e6, kInfinity})
    for (double p : {.5, .1, .025, 1e-6})
      EXPECT_NEAR(student_t_above(student_t_quantile(1 - p, freedom), freedom), p,
                  1e-9 * p + 1e-10);
}

// Of one degree of freedom, t is Cauchy's: 1 / (pi t) far out.
TEST(Distribution, IsExactFarOut) {
  EXPECT_NEAR(student_t_above(1e8, 1) * 1e8 * 3.141592653589793, 1, 1e-9);
  EXPECT_EQ(student_t_above(kInfinity, kInfinity), 0);
  EXPECT_EQ(student_t_above(-kInfinity, 3), 1);
}

// Beta(1, n) is above x with (1 - x)^n.
TEST(Distribution, HasTheBetaDistribution) {
  EXPECT_NEAR(beta_above(.2, 1, 3), .512, 1e-12);
  EXPECT_NEAR(beta_below(.2, 1, 3), .488, 1e-12);
  EXPECT_NEAR(beta_quantile(.488, 1, 3), .2, 1e-12);
  EXPECT_EQ(beta_above(-1, 2, 2), 1);
  EXPECT_EQ(beta_above(2, 2, 2), 0);
}

TEST(Distribution, HasTheDerivativesOfLogGamma) {
  EXPECT_NEAR(digamma(1), -.5772156649, 1e-10);   // Euler's constant
  EXPECT_NEAR(trigamma(1), 1.6449340668, 1e-10);  // pi^2 / 6
  for (double x : {1e-4, .01, .5, 1.0, 3.0, 100.0, 1e5})
    EXPECT_NEAR(trigamma_inverse(trigamma(x)) / x, 1, 1e-6) << x;
}

}  // namespace
}  // namespace pgo::verify::distribution_test
