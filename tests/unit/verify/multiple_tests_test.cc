#include "pgo/verify/multiple_tests.h"

#include <gtest/gtest.h>

namespace pgo::verify::multiple_tests_test {
namespace {

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); i++) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

// By hand: p * 4 / rank is .04, .08, .0533, .50; from the highest down, the least so far.
TEST(BenjaminiHochberg, OfFour) {
  expect_near(benjamini_hochberg(std::vector{.01, .04, .04, .50}),
              {.04, .04 * 4 / 3, .04 * 4 / 3, .50});
}

// The example of Benjamini and Hochberg's paper of 1995: 4 of 15 at 5 %.
TEST(BenjaminiHochberg, OfTheirExample) {
  std::vector<double> p = {.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344,
                           .0459, .3240, .4262, .5719, .6528, .7590, 1.000};
  std::vector<double> q = benjamini_hochberg(p);
  EXPECT_NEAR(q[3], .0095 * 15 / 4, 1e-12);
  EXPECT_LE(q[3], .05);
  EXPECT_GT(q[4], .05);
}

TEST(BenjaminiHochberg, TheOrderOfTestsDoesNotMatter) {
  expect_near(benjamini_hochberg(std::vector{.50, .04, .01, .04}),
              {.50, .04 * 4 / 3, .04, .04 * 4 / 3});
}

TEST(BenjaminiHochberg, NeverExceedsOne) {
  expect_near(benjamini_hochberg(std::vector{1.0, 1.0}), {1, 1});
  EXPECT_TRUE(benjamini_hochberg({}).empty());
}

TEST(Holm, MultipliesBySmallerAndSmallerCounts) {
  EXPECT_EQ(holm(std::vector<double>{.01, .04, .03}), (std::vector<double>{.03, .06, .06}));
  EXPECT_EQ(holm(std::vector<double>{.5, .9}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
}  // namespace pgo::verify::multiple_tests_test
