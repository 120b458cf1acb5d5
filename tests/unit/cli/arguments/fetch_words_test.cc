#include "pgo/cli/arguments/fetch_words.h"

#include <gtest/gtest.h>

namespace pgo::fetch_words_test {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kNow = 1'795'690'800 * kSecond;  // 2026-11-26T11:00:00Z

TEST(ByteSize, MayHaveAUnit) {
  EXPECT_EQ(parse_byte_size("1000"), 1000u);
  EXPECT_EQ(parse_byte_size("64K"), 65'536u);
  EXPECT_EQ(parse_byte_size("8G"), uint64_t{8} << 30);
  EXPECT_EQ(parse_byte_size("8GB"), uint64_t{8} << 30);
  EXPECT_EQ(parse_byte_size("8GiB"), uint64_t{8} << 30);
  for (const char* wrong : {"", "0", "G", "8g", "8 G", "8GG", "99999999999999T"})
    EXPECT_FALSE(parse_byte_size(wrong)) << wrong;
}

std::string window(const std::string& from, const std::string& to, const std::string& last) {
  const auto parsed = parse_fetch_window(from, to, last, kNow);
  if (!parsed) return parsed.error().message;
  if (!*parsed) return "none";
  return std::to_string(((*parsed)->begin - kNow) / kSecond) + " " +
         std::to_string(((*parsed)->end - kNow) / kSecond);
}

TEST(FetchWindow, IsOfTimesOrOfWhatIsPast) {
  EXPECT_EQ(window("", "", ""), "none");
  EXPECT_EQ(window("", "", "6h"), "-21600 0");
  EXPECT_EQ(window("2026-11-26T10:00:00Z", "2026-11-26T10:30:00Z", ""), "-3600 -1800");
  EXPECT_EQ(window("2026-11-26T11:30:00+01:00", "", ""), "-1800 0");
  EXPECT_EQ(window("2h", "1h", ""), "-7200 -3600");
  EXPECT_EQ(window("2026-11-26T09", "2026-11-26T10", ""), "-7200 -3600");
}

TEST(FetchWindow, RefusesWhatIsNone) {
  EXPECT_EQ(window("yesterday", "", ""),
            "--from yesterday: expected a time such as 2026-11-26T13:00:00Z, or how long ago, such "
            "as 7d");
  EXPECT_EQ(window("", "x", ""),
            "--to x: expected a time such as 2026-11-26T13:00:00Z, or how long ago, such as 7d");
  EXPECT_EQ(window("2026-11-26T12", "", ""),
            "--from 2026-11-26T12: is in the future; it is 2026-11-26T11:00:00Z now");
  EXPECT_EQ(window("2026-11-26T12", "2026-11-26T13", ""), window("2026-11-26T12", "", ""));
  EXPECT_EQ(window("2026-11-26T9", "", ""),
            "--from 2026-11-26T9: expected a time such as 2026-11-26T13:00:00Z, or how long ago, "
            "such as 7d");
  EXPECT_EQ(window("", "", "7"), "--last 7: expected a duration such as 90s, 10m, 6h, 7d or 2w");
  EXPECT_EQ(window("1h", "", "7d"), "--last goes without --from and --to");
  EXPECT_EQ(window("1h", "2h", ""),
            "the window 2026-11-26T10:00:00Z to 2026-11-26T09:00:00Z ends before it begins");
}

}  // namespace
}  // namespace pgo::fetch_words_test
