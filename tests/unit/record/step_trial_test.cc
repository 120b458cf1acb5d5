#include "pgo/record/step_trial.h"

#include <gtest/gtest.h>

namespace pgo::step_trial_test {
namespace {

TEST(StepTrial, NeedsAKernelThatDoesNotInterruptSystemCalls) {
  EXPECT_TRUE(check_kernel_release("5.10.0-34-amd64"));
  EXPECT_TRUE(check_kernel_release("6.1"));
  Result<void> refused = check_kernel_release("4.18.0-553.el8");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(),
            (Error{ErrorKind::kUnsupported,
                   "single steps do not work here: Linux 4.18.0-553.el8 would interrupt the "
                   "program's system calls; Linux 5.10 and later do not",
                   "record PC samples (\xFF{engine} clock), or under emulation (\xFF{engine} "
                   "emulate)"}));
  EXPECT_FALSE(check_kernel_release("unknown"));
}

// Where steps work, they cost less than a millisecond each.
TEST(StepTrial, MeasuresSteps) {
  Result<StepCost> cost = try_steps();
  if (!cost) GTEST_SKIP() << cost.error().message;
  EXPECT_GT(cost->step_ticks, 0u);
  EXPECT_LT(cost->step_ticks, cost->ticks_per_ms);
}

}  // namespace
}  // namespace pgo::step_trial_test
