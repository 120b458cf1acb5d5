#include "pgo/base/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pgo::portable_math_test {
namespace {

TEST(PortableMath, LogIsTheLogarithm) {
  for (double x = 1e-300; x < 1e300; x *= 1.7)
    EXPECT_NEAR(portable_log(x), std::log(x), 2e-15 * std::abs(std::log(x))) << x;
  for (double x = .5; x < 2; x += 1e-3) EXPECT_NEAR(portable_log(x), std::log(x), 4e-16) << x;
  EXPECT_EQ(portable_log(1), 0);
}

TEST(PortableMath, LogOfWhatIsNoOrdinaryNumber) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(portable_log(0), -kInfinity);
  EXPECT_EQ(portable_log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(portable_log(-1)));
  EXPECT_TRUE(std::isnan(portable_log(-kInfinity)));
  EXPECT_TRUE(std::isnan(portable_log(std::nan(""))));
  for (double x : {5e-324, 3e-310, 2.2e-308}) EXPECT_NEAR(portable_log(x), std::log(x), 1e-12) << x;
}

TEST(PortableMath, ExpIsTheExponential) {
  for (double x = -699; x < 699; x += .37)
    EXPECT_NEAR(portable_exp(x), std::exp(x), 2e-15 * std::exp(x)) << x;
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-1000), 0);
  EXPECT_EQ(portable_exp(1000), portable_exp(700));
  EXPECT_EQ(portable_exp(std::nan("")), 0);
}

TEST(PortableMath, ExpOrInfinity) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (double x : {-1000.0, -1.0, 0.0, 1.0, 700.0})
    EXPECT_EQ(portable_exp_or_infinity(x), portable_exp(x)) << x;
  EXPECT_EQ(portable_exp_or_infinity(700.01), kInfinity);
  EXPECT_EQ(portable_exp_or_infinity(kInfinity), kInfinity);
}

TEST(PortableMath, Expm1IsExactNearZero) {
  for (double x = -690; x < 690; x += .37)
    EXPECT_NEAR(portable_expm1(x), std::expm1(x), 1e-14 * std::abs(std::expm1(x))) << x;
  for (double x = 1e-300; x < 1; x *= 3) {
    EXPECT_NEAR(portable_expm1(x), std::expm1(x), 2e-15 * std::expm1(x)) << x;
    EXPECT_NEAR(portable_expm1(-x), std::expm1(-x), -4e-15 * std::expm1(-x)) << x;
  }
  EXPECT_EQ(portable_expm1(0), 0);
  EXPECT_EQ(portable_expm1(-1e6), -1);
}

// The bits themselves: another compiler or machine must not change them.
TEST(PortableMath, HasTheSameBitsEverywhere) {
  EXPECT_EQ(std::bit_cast<uint64_t>(portable_log(10)), 0x40026bb1bbb55515u);
  EXPECT_EQ(std::bit_cast<uint64_t>(portable_exp(1)), 0x4005bf0a8b14576au);
  EXPECT_EQ(std::bit_cast<uint64_t>(portable_exp(-3.25)), 0x3fa3da368521902du);
}

}  // namespace
}  // namespace pgo::portable_math_test
