#include "pgo/base/end_deadline.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "pgo/base/deferred_termination.h"

namespace pgo::end_deadline_test {
namespace {

TEST(EndDeadline, IsSomeTimeAfterTheFirstRequest) {
  const DeferredTermination termination;
  EndDeadline deadline;
  EXPECT_EQ(deadline.time(), std::nullopt);
  EXPECT_FALSE(deadline.is_over());
  const EndDeadline::Time before = std::chrono::steady_clock::now();
  ::raise(SIGTERM);
  const EndDeadline::Time end = deadline.time().value_or(EndDeadline::Time());
  const EndDeadline::Time after = std::chrono::steady_clock::now();
  sigset_t requests;
  ::sigemptyset(&requests);
  ::sigaddset(&requests, SIGTERM);
  EXPECT_EQ(::sigwaitinfo(&requests, nullptr), SIGTERM);
  EXPECT_GE(end, before + kTimeAtEnd);
  EXPECT_LE(end, after + kTimeAtEnd);
  // Asked again, also when somebody has taken the request meanwhile.
  EXPECT_EQ(deadline.time(), end);
  EXPECT_FALSE(deadline.is_over());
}

}  // namespace
}  // namespace pgo::end_deadline_test
