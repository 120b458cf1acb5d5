#include "pgo/cli/terminal/progress_line.h"

#include <gtest/gtest.h>

#include <new>

namespace pgo::progress_line_test {
namespace {

TEST(ProgressLine, ListensWhileTheWorkIsDone) {
  ProgressFn listener;
  bool listened = false;
  EXPECT_EQ(with_progress(listener,
                          [&] {
                            listened = listener != nullptr;
                            report_progress(listener, {"reading a.perf", 5, 10});
                            return 7;
                          }),
            7);
  EXPECT_TRUE(listened);
  EXPECT_FALSE(listener);
}

TEST(ProgressLine, ListensNoLongerWhenTheWorkThrows) {
  ProgressFn listener;
  EXPECT_THROW(with_progress(listener, []() -> int { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_FALSE(listener);
}

TEST(ProgressLine, TellsTheTimeLeftWhereTheTotalIsKnown) {
  EXPECT_EQ(seconds_left({"fetching", 25, 100}, 10), 30u);
  EXPECT_EQ(seconds_left({"fetching", 25, 0}, 10), std::nullopt);
  EXPECT_EQ(seconds_left({"fetching", 0, 100}, 10), std::nullopt);
  EXPECT_EQ(seconds_left({"fetching", 100, 100}, 10), std::nullopt);
}

}  // namespace
}  // namespace pgo::progress_line_test
