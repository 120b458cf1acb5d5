#include "pgo/record/step/recorded_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pgo::recorded_process_test {
namespace {

int exit_code_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RecordedProcess, IsToldFromAChildThatNobodyHasPrepared) {
  ASSERT_TRUE(mark_process());
  EXPECT_TRUE(is_recorded_process());
  const pid_t child = ::_Fork();
  if (child == 0) {
    const bool copy = is_recorded_process();
    ::_exit((copy ? 1 : 0) | (mark_process() && is_recorded_process() ? 2 : 0));
  }
  EXPECT_EQ(exit_code_of(child), 2);
  EXPECT_TRUE(is_recorded_process());
}

}  // namespace
}  // namespace pgo::recorded_process_test
