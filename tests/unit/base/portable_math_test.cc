#include "pgo/base/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pgo::portable_math_test {
namespace {

TEST(PortableMath, LogIsTheLogarithm) {
  for (double x = 1e-300; x < 1e300; x *= 1.7)
    EXPECT_NEAR(portable_log(x), std::log(x), 2e-15 * std::abs(std::log(x))) << x;
  for (double x = .5; x < 2; x += 1e-3) EXPECT_NEAR(portable_log(x), std::log(x), 4e-16) << x;
  EXPECT_EQ(portable_log(1), 0);
}

TEST(PortableMath, ExpIsTheExponential) {
  for (double x = -699; x < 699; x += .37)
    EXPECT_NEAR(portable_exp(x), std::exp(x), 2e-15 * std::exp(x)) << x;
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(-1000), 0);
  EXPECT_EQ(portable_exp(1000), portable_exp(700));
  EXPECT_EQ(portable_exp(std::nan("")), 0);
}

// The bits themselves: another compiler or machine must not change them.
TEST(PortableMath, HasTheSameBitsEverywhere) {
  EXPECT_EQ(std::bit_cast<uint64_t>(portable_log(10)), 0x40026bb1bbb55515u);
  EXPECT_EQ(std::bit_cast<uint64_t>(portable_exp(1)), 0x4005bf0a8b14576au);
  EXPECT_EQ(std::bit_cast<uint64_t>(portable_exp(-3.25)), 0x3fa3da368521902du);
}

}  // namespace
}  // namespace pgo::portable_math_test
