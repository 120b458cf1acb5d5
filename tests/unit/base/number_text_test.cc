#include "pgo/base/number_text.h"

#include <gtest/gtest.h>

namespace pgo::number_text_test {
namespace {

TEST(FormatCount, SetsThousandsApart) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1 000");
  EXPECT_EQ(format_count(~uint64_t{0}), "18 446 744 073 709 551 615");
}

TEST(FormatCount, SaysOneOfOne) {
  EXPECT_EQ(format_count(0, "sample"), "0 samples");
  EXPECT_EQ(format_count(1, "sample"), "1 sample");
  EXPECT_EQ(format_count(1234, "sample"), "1 234 samples");
  EXPECT_EQ(format_count(1, "branch was", "branches were"), "1 branch was");
  EXPECT_EQ(format_count(21, "branch was", "branches were"), "21 branches were");
}

TEST(FormatDecimal, HasSoManyDecimals) {
  EXPECT_EQ(format_decimal(.99149, 3), "0.991");
  EXPECT_EQ(format_decimal(60, 1), "60.0");
}

TEST(FormatAmount, HasThreeSignificantDigits) {
  EXPECT_EQ(format_amount(0), "0.00");
  EXPECT_EQ(format_amount(.049), "0.05");
  EXPECT_EQ(format_amount(12.345), "12.35");
  EXPECT_EQ(format_amount(99.994), "99.99");
  EXPECT_EQ(format_amount(99.996), "100");
  EXPECT_EQ(format_amount(999.4), "999");
  EXPECT_EQ(format_amount(999.6), "1 000");
  EXPECT_EQ(format_amount(12345.6), "12 300");
  EXPECT_EQ(format_amount(420768), "421 000");
  EXPECT_EQ(format_amount(9.99e8), "999 000 000");
  EXPECT_EQ(format_amount(8.766e21), "8 770 000 000 000 000 000 000");
}

TEST(FormatHex, HasNoLeadingZeros) {
  EXPECT_EQ(format_hex(0), "0x0");
  EXPECT_EQ(format_hex(0x40abcdef), "0x40abcdef");
  EXPECT_EQ(format_hex(~uint64_t{0}), "0xffffffffffffffff");
}

TEST(FormatSize, RoundsToOneDigit) {
  EXPECT_EQ(format_size(0), "0 bytes");
  EXPECT_EQ(format_size(999), "999 bytes");
  EXPECT_EQ(format_size(1000), "1.0 kB");
  EXPECT_EQ(format_size(999'949), "999.9 kB");
  EXPECT_EQ(format_size(999'950), "1.0 MB");
  EXPECT_EQ(format_size(903'000'000), "903.0 MB");
  EXPECT_EQ(format_size(~uint64_t{0}), "18446744.1 TB");
}

}  // namespace
}  // namespace pgo::number_text_test
