#include "pgo/verify/moderated_variance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/data/random_numbers.h"

namespace pgo::verify::moderated_variance_test {
namespace {

// By hand: (4 * 2 + 6 * 1) / (4 + 6).
TEST(ModeratedVariance, IsTheMeanByDegreesOfFreedom) {
  Variance moderated =
      moderate({.value = 2, .freedom = 4}, {.scale = 1, .freedom = 6, .freedom_of_rows = 1e3});
  EXPECT_NEAR(moderated.value, 1.4, 1e-12);
  EXPECT_NEAR(moderated.freedom, 10, 1e-12);
}

TEST(ModeratedVariance, WithoutPriorIsTheRowsOwn) {
  Variance moderated = moderate({.value = 2, .freedom = 4}, {});
  EXPECT_EQ(moderated.value, 2);
  EXPECT_EQ(moderated.freedom, 4);
}

TEST(ModeratedVariance, IsNotKnownBetterThanFromAllRows) {
  VariancePrior prior{
      .scale = 3, .freedom = std::numeric_limits<double>::infinity(), .freedom_of_rows = 50};
  Variance moderated = moderate({.value = 2, .freedom = 4}, prior);
  EXPECT_EQ(moderated.value, 3);
  EXPECT_EQ(moderated.freedom, 50);
}

TEST(ModeratedVariance, FewRowsHaveNoPrior) {
  std::vector<Variance> rows(kMinModeratedRows - 1, {.value = 2, .freedom = 4});
  EXPECT_EQ(fit_variance_prior(rows).freedom, 0);
  EXPECT_EQ(fit_variance_prior({}).freedom, 0);
}

// Variances that differ by less than chance would make them.
TEST(ModeratedVariance, EqualRowsAreOfOneVariance) {
  std::vector<Variance> rows(20, {.value = 2, .freedom = 4});
  VariancePrior prior = fit_variance_prior(rows);
  EXPECT_TRUE(std::isinf(prior.freedom));
  EXPECT_NEAR(prior.scale, 2, 1e-12);
  EXPECT_EQ(prior.freedom_of_rows, 80);
}

// Of two degrees of freedom, chi2 is exponential: variances are drawn with ease. Each row's own
// variance is 3 / (mean of 5 exponentials), a prior of 10 degrees of freedom and scale 3.
TEST(ModeratedVariance, FindsWhatRowsWereDrawnFrom) {
  RandomNumbers random(1);
  auto exponential = [&] { return -std::log(1 - random.uniform()); };
  std::vector<Variance> rows;
  for (int i = 0; i < 20000; i++) {
    double mean = 0;
    for (int k = 0; k < 5; k++) mean += exponential() / 5;
    double drawn = (exponential() + exponential()) / 2;  // chi2(4) / 4
    rows.push_back({.value = 3 / mean * drawn, .freedom = 4});
  }
  VariancePrior prior = fit_variance_prior(rows);
  EXPECT_NEAR(prior.freedom, 10, 1);  // its standard error is .3
  EXPECT_NEAR(prior.scale, 3, .1);
}

TEST(ModeratedVariance, RowsWithoutAnyVarianceAreNoRows) {
  std::vector<Variance> rows(20, {.value = 0, .freedom = 4});
  EXPECT_EQ(fit_variance_prior(rows).freedom, 0);
  rows.assign(20, {.value = 1, .freedom = 4});
  rows[3].value = 0;  // alone, it must not make the others' scatter infinite
  VariancePrior prior = fit_variance_prior(rows);
  EXPECT_GT(prior.freedom, 0);
  EXPECT_GT(prior.scale, .1);
}

}  // namespace
}  // namespace pgo::verify::moderated_variance_test
