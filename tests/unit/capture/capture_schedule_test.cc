// With a clock that the test sets.
#include "pgo/capture/capture_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pgo::capture_schedule_test {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kInterval = 600 * kSecond, kDuration = 30 * kSecond;
constexpr int64_t kStart = 1'000'000 * kInterval;

TEST(CaptureSchedule, RecordsOnceInEachIntervalAndInItsBounds) {
  CaptureSchedule schedule(kStart, {kInterval, kDuration, 1});
  int64_t now = kStart;
  for (int64_t i = 0; i < 1000; i++) {
    const int64_t begin = schedule.next(now);
    EXPECT_GE(begin, kStart + i * kInterval);
    EXPECT_LE(begin + kDuration, kStart + (i + 1) * kInterval);
    now = begin + kDuration;
  }
}

TEST(CaptureSchedule, BeginsAnewWhenTheClockWasSetBack) {
  CaptureSchedule schedule(kStart, {kInterval, kDuration, 1});
  schedule.next(kStart);
  const int64_t earlier = kStart - 100 * kInterval;
  EXPECT_LT(schedule.next(earlier), earlier + kInterval);
}

TEST(CaptureSchedule, HostsAreSpreadOverTheInterval) {
  int64_t early = 0, first = INT64_MAX, last = 0;
  for (uint64_t seed = 0; seed < 400; seed++) {
    const int64_t begin = CaptureSchedule(kStart, {kInterval, kDuration, seed}).next(kStart);
    early += begin < kStart + (kInterval - kDuration) / 2;
    first = std::min(first, begin);
    last = std::max(last, begin);
  }
  EXPECT_NEAR(static_cast<double>(early), 200, 60);  // six standard deviations
  EXPECT_LT(first, kStart + 20 * kSecond);
  EXPECT_GT(last, kStart + kInterval - kDuration - 20 * kSecond);
}

TEST(CaptureSchedule, DiffersFromIntervalToInterval) {
  CaptureSchedule schedule(kStart, {kInterval, kDuration, 5});
  const int64_t first = schedule.next(kStart) - kStart;
  EXPECT_NE(schedule.next(kStart + kInterval) - kStart - kInterval, first);
}

TEST(CaptureSchedule, IsTheSameForTheSameSeed) {
  EXPECT_EQ(CaptureSchedule(kStart, {kInterval, kDuration, 5}).next(kStart),
            CaptureSchedule(kStart, {kInterval, kDuration, 5}).next(kStart));
}

TEST(CaptureSchedule, UsesWhatIsLeftOfTheFirstInterval) {
  for (uint64_t seed = 0; seed < 50; seed++) {
    const int64_t now = kStart + kInterval / 2;
    const int64_t begin = CaptureSchedule(now, {kInterval, kDuration, seed}).next(now);
    EXPECT_GE(begin, now);
    EXPECT_LE(begin + kDuration, kStart + kInterval);
  }
  // Too little is left: in the next one.
  const int64_t late = kStart + kInterval - kDuration / 2;
  EXPECT_GE(CaptureSchedule(late, {kInterval, kDuration, 1}).next(late), kStart + kInterval);
}

TEST(CaptureSchedule, IntervalsThatPassedAreLeftOut) {
  CaptureSchedule schedule(kStart, {kInterval, kDuration, 1});
  schedule.next(kStart);
  const int64_t begin = schedule.next(kStart + 7 * kInterval + kSecond);
  EXPECT_GE(begin, kStart + 7 * kInterval + kSecond);
  EXPECT_LT(begin, kStart + 8 * kInterval);
}

TEST(CaptureSchedule, RecordsAllTheTimeWhereADurationFillsTheInterval) {
  CaptureSchedule schedule(kStart, {kInterval, kInterval, 1});
  EXPECT_EQ(schedule.next(kStart), kStart);
  EXPECT_EQ(schedule.next(kStart + kInterval), kStart + kInterval);
}

}  // namespace
}  // namespace pgo::capture_schedule_test
