#include "pgo/capture/overhead_budget.h"

#include <gtest/gtest.h>

namespace pgo::overhead_budget_test {
namespace {

TEST(OverheadBudget, TheFirstRecordingIsMadeAndThenPaidFor) {
  OverheadBudget budget(0.01);
  EXPECT_TRUE(budget.affords_recording());
  budget.spend(2);
  EXPECT_FALSE(budget.affords_recording());
  budget.earn(200);  // pays for the first
  EXPECT_FALSE(budget.affords_recording());
  budget.earn(199);
  EXPECT_FALSE(budget.affords_recording());
  budget.earn(1);  // and for another one
  EXPECT_TRUE(budget.affords_recording());
  EXPECT_DOUBLE_EQ(budget.spent_share(), 0.005);
}

// Whatever recordings cost, all but one were paid for before.
TEST(OverheadBudget, TheShareIsKept) {
  OverheadBudget budget(0.02);
  constexpr double kMost = 5;
  int recordings = 0;
  for (int turn = 0; turn < 10'000; turn++) {
    budget.earn(turn % 7 * 3.0);
    if (!budget.affords_recording()) continue;
    const double cost = 1.0 + turn % 5;  // grows by what was not foreseen
    recordings++;
    budget.spend(cost);
    EXPECT_LE(budget.spent(), 0.02 * budget.service_cpu() + kMost) << turn;
  }
  EXPECT_GT(recordings, 100);
}

TEST(OverheadBudget, QuietTimesSaveUpForTwoRecordingsAtMost) {
  OverheadBudget budget(0.01);
  budget.earn(100);
  budget.spend(1);
  budget.earn(1'000'000);
  budget.spend(1);
  EXPECT_TRUE(budget.affords_recording());
  budget.spend(1);
  EXPECT_FALSE(budget.affords_recording());
}

TEST(OverheadBudget, WithoutWorkNothingIsShared) {
  OverheadBudget budget(0.01);
  budget.spend(1);
  EXPECT_EQ(budget.spent_share(), 0);
}

TEST(OverheadBudget, ClockSamplesCostTheShareAtMostWhileTheyAreTaken) {
  // 15 us in 1 % of the time are one sample in 1500 us.
  EXPECT_EQ(affordable_clock_period(250'007, 0.01), 6 * 250'007u);
  EXPECT_EQ(affordable_clock_period(250'007, 0.1), 250'007u);
  EXPECT_EQ(affordable_clock_period(250'007, 0.001), 60 * 250'007u);
  EXPECT_EQ(affordable_clock_period(250'007, 1e-15), 1'000'000 * uint64_t{250'007});
}

}  // namespace
}  // namespace pgo::overhead_budget_test
