#include "pgo/infer/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pgo::infer::lbfgs_test {
namespace {

TEST(Lbfgs, FindsTheBottomOfACurvedValley) {
  // Rosenbrock's function in ten pairs; its minimum is 0 at (1, 1, ...).
  auto rosenbrock = [](const std::vector<double>& x, std::vector<double>& gradient) {
    double value = 0;
    for (size_t i = 0; i < x.size(); i += 2) {
      double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
      value += a * a + 100 * b * b;
      gradient[i] = -2 * a - 400 * b * x[i];
      gradient[i + 1] = 200 * b;
    }
    return value;
  };
  std::vector<double> x(20, -1.5);
  EXPECT_LT(minimize(x, rosenbrock, {}), 1e-12);
  for (double value : x) EXPECT_NEAR(value, 1, 1e-5);
}

TEST(Lbfgs, StaysWhereNothingDescends) {
  std::vector<double> x = {3};
  auto wrong = [](const std::vector<double>& at, std::vector<double>& gradient) {
    gradient[0] = 1;  // which leads uphill
    return -at[0];
  };
  EXPECT_EQ(minimize(x, wrong, {}), -3);
  EXPECT_EQ(x[0], 3);
}

TEST(Lbfgs, DoesNotStepToWhatIsNoNumber) {
  std::vector<double> x = {1};
  auto logarithm = [](const std::vector<double>& at, std::vector<double>& gradient) {
    gradient[0] = 1 - .01 / at[0];  // least at .01; not defined below 0
    return at[0] - .01 * std::log(at[0]);
  };
  minimize(x, logarithm, {});
  EXPECT_NEAR(x[0], .01, 1e-6);
}

// Steps are remembered in single precision.
TEST(Lbfgs, FindsWhatIsTooSteepToRemember) {
  std::vector<double> x = {0.25};
  auto steep = [](const std::vector<double>& at, std::vector<double>& gradient) {
    gradient[0] = 2e60 * (at[0] - 3);
    return 1e60 * (at[0] - 3) * (at[0] - 3);
  };
  minimize(x, steep, {});
  EXPECT_NEAR(x[0], 3, 1e-3);
}

}  // namespace
}  // namespace pgo::infer::lbfgs_test
