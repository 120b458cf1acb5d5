#include "pgo/base/time_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace pgo::time_text_test {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(TimeText, WritesTimesInUtc) {
  EXPECT_EQ(format_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(format_time(1'795'698'000 * kSecond), "2026-11-26T13:00:00Z");
  EXPECT_EQ(format_time(1'795'698'000 * kSecond + 250'000'000), "2026-11-26T13:00:00.250000000Z");
  EXPECT_EQ(format_time(-1), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(format_time(std::numeric_limits<int64_t>::max()), "2262-04-11T23:47:16.854775807Z");
  EXPECT_EQ(format_time(std::numeric_limits<int64_t>::min()), "1677-09-21T00:12:43.145224192Z");
}

TEST(TimeText, ReadsDatesTimesAndZones) {
  const int64_t one = 1'795'698'000 * kSecond;
  for (const char* text :
       {"2026-11-26T13:00:00Z", "2026-11-26T13:00", "2026-11-26 13:00:00", "2026-11-26t13:00:00z",
        "2026-11-26T14:00:00+01:00", "2026-11-26T07:30:00-05:30", "2026-11-26T13:00:00.000Z"})
    EXPECT_EQ(parse_time(text), one) << text;
  EXPECT_EQ(parse_time("2026-11-26"), one - 13 * 3600 * kSecond);
  EXPECT_EQ(parse_time("2026-11-26T13:00:00.25Z"), one + kSecond / 4);
  EXPECT_EQ(parse_time("2026-11-26T13:00:00.0000000019Z"), one + 1);
  EXPECT_EQ(parse_time("2262-04-11T23:47:16.854775807Z"), std::numeric_limits<int64_t>::max());
}

TEST(TimeText, ReadsWhatItWrites) {
  for (int64_t time : {int64_t{0}, kSecond - 1, 951'782'400 * kSecond, 4'107'542'399 * kSecond})
    EXPECT_EQ(parse_time(format_time(time)), time);
}

TEST(TimeText, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "2026", "2026-11", "2026-13-01", "2026-02-29", "2026-11-26T", "2026-11-26T13",
        "2026-11-26T24:00", "2026-11-26T13:60", "2026-11-26T13:00:00.", "2026-11-26T13:00:00X",
        "2026-11-26T13:00:00+1", "2026-11-26T13:00:00Zz", "1969-12-31", "2262-04-12", "2263-01-01",
        "1970-01-01T00:00+01:00", "-026-11-26", "2026-11-26Z"})
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
}

TEST(Duration, HasAUnit) {
  EXPECT_EQ(parse_duration("90s"), 90 * kSecond);
  EXPECT_EQ(parse_duration("10m"), 600 * kSecond);
  EXPECT_EQ(parse_duration("6h"), 21'600 * kSecond);
  EXPECT_EQ(parse_duration("7d"), 604'800 * kSecond);
  EXPECT_EQ(parse_duration("2w"), 1'209'600 * kSecond);
  for (const char* wrong : {"", "7", "d", "7 d", "-7d", "7days", "1.5h", "99999999999d"})
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
}

}  // namespace
}  // namespace pgo::time_text_test
