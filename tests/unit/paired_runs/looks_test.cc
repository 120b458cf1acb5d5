#include "pgo/paired_runs/looks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "pgo/paired_runs/pair_statistics.h"
#include "tests/data/draws.h"

namespace pgo::looks_test {
namespace {

std::vector<size_t> pairs_of_looks(size_t max_pairs) {
  std::vector<size_t> pairs;
  for (const Look& look : plan_looks(max_pairs)) pairs.push_back(look.pairs);
  return pairs;
}

TEST(Looks, AreAtEachFifthOfThePairs) {
  EXPECT_EQ(pairs_of_looks(35), (std::vector<size_t>{7, 14, 21, 28, 35}));
  EXPECT_EQ(pairs_of_looks(36), (std::vector<size_t>{8, 15, 22, 29, 36}));
}

TEST(Looks, AreFewerForFewPairs) {
  EXPECT_EQ(pairs_of_looks(7), (std::vector<size_t>{7}));
  EXPECT_EQ(pairs_of_looks(10), (std::vector<size_t>{7, 8, 10}));
}

TEST(Looks, SpendTheWholeErrorAtOnceIfThereIsOnlyOne) {
  EXPECT_NEAR(plan_looks(7)[0].error, .05, 1e-9);
}

TEST(Looks, MayErrMoreAndMore) {
  std::vector<Look> looks = plan_looks(35);
  for (size_t i = 1; i < looks.size(); i++) EXPECT_GT(looks[i].error, looks[i - 1].error);
  EXPECT_LT(looks.back().error, .05);
}

// Whether any look at pairs of equal programs decides that one is cheaper.
bool errs(const std::vector<Look>& looks, bool adjusted, uint64_t seed) {
  verify::Draws draws(seed);
  std::vector<FigurePair> pairs;
  while (pairs.size() < looks.back().pairs)
    pairs.emplace_back(portable_exp(.05 * draws.normal()), portable_exp(.05 * draws.normal()));
  for (const Look& look : looks) {
    const std::span<const FigurePair> seen = std::span(pairs).first(look.pairs);
    const PairEstimate cost = estimate_ratio(seen, adjusted ? look.error : kRunsError);
    if (cost.interval.low > 1 || cost.interval.high < 1) return true;
  }
  return false;
}

TEST(Looks, KeepTheErrorOverAllLooks) {
  const std::vector<Look> looks = plan_looks(35);
  int wrong = 0, unadjusted = 0;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    wrong += errs(looks, true, seed);
    unadjusted += errs(looks, false, seed);
  }
  EXPECT_LE(wrong, 64);  // 5 % and two standard errors
  EXPECT_GE(wrong, 36);
  EXPECT_GT(unadjusted, 100);
}

}  // namespace
}  // namespace pgo::looks_test
