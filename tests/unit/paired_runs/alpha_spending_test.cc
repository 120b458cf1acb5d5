#include "pgo/paired_runs/alpha_spending.h"

#include <gtest/gtest.h>

#include <limits>

#include "pgo/verify/distribution.h"

namespace pgo::alpha_spending_test {
namespace {

double critical_value(double level) {
  return verify::student_t_quantile(1 - level / 2, std::numeric_limits<double>::infinity());
}

// Five equal looks, 5 % on both sides, as ldbounds for R has them (Lan and DeMets 1983; Reboussin
// and others 2000).
TEST(SpendError, GivesThePublishedCriticalValues) {
  std::vector<double> levels = spend_error(std::vector<double>{.2, .4, .6, .8, 1}, .05);
  const double expected[] = {4.877, 3.357, 2.680, 2.290, 2.031};
  ASSERT_EQ(levels.size(), 5u);
  for (size_t look = 0; look < 5; look++)
    EXPECT_NEAR(critical_value(levels[look]), expected[look], .002) << look;
}

TEST(SpendError, GivesAllToASingleLook) {
  EXPECT_NEAR(spend_error(std::vector<double>{1}, .05)[0], .05, 1e-9);
}

TEST(SpendError, SpendsNextToNothingEarly) {
  std::vector<double> levels = spend_error(std::vector<double>{.01, 1}, .05);
  EXPECT_LT(levels[0], 1e-15);
  EXPECT_NEAR(levels[1], .05, 1e-4);
}

}  // namespace
}  // namespace pgo::alpha_spending_test
