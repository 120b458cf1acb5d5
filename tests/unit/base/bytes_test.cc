#include "pgo/base/bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace pgo::bytes_test {
namespace {

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

uint64_t uleb128(std::vector<uint8_t> bytes) {
  ByteCursor cursor(bytes);
  uint64_t value = cursor.uleb128();
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.remaining(), 0u);
  return value;
}

bool uleb128_fails(std::vector<uint8_t> bytes) {
  ByteCursor cursor(bytes);
  return cursor.uleb128() == 0 && !cursor.ok();
}

TEST(ByteCursor, ReadsLittleEndianAtAnyAlignment) {
  std::vector<uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  ByteCursor cursor(bytes);
  EXPECT_EQ(cursor.u8(), 1u);
  EXPECT_EQ(cursor.u16(), 0x0302u);
  EXPECT_EQ(cursor.u32(), 0x07060504u);
  EXPECT_EQ(cursor.u64(), 0x0f0e0d0c0b0a0908u);
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.position(), 15u);
  EXPECT_EQ(cursor.remaining(), 0u);
}

TEST(ByteCursor, GivesZeroPastTheEndAndStaysFailed) {
  std::vector<uint8_t> bytes = {1, 2, 3};
  ByteCursor cursor(bytes);
  EXPECT_EQ(cursor.u32(), 0u);
  EXPECT_FALSE(cursor.ok());
  EXPECT_EQ(cursor.u8(), 0u);  // although one byte would be there
  EXPECT_EQ(cursor.c_string(), "");
  EXPECT_FALSE(cursor.ok());
}

TEST(ByteCursor, FailsAtEveryTruncation) {
  std::vector<uint8_t> bytes(15, 1);
  for (size_t size = 0; size <= bytes.size(); size++) {
    ByteCursor cursor(Bytes(bytes).first(size));
    cursor.u8();
    cursor.u16();
    cursor.u32();
    cursor.u64();
    EXPECT_EQ(cursor.ok(), size == bytes.size()) << size;
  }
}

TEST(ByteCursor, TakesAndSkipsOnlyWhatIsThere) {
  Bytes bytes = bytes_of("abcdef");
  ByteCursor cursor(bytes);
  EXPECT_EQ(cursor.take(2).data(), bytes.data());
  cursor.skip(3);
  EXPECT_TRUE(cursor.take(0).empty());
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.take(1)[0], 'f');
  cursor.skip(0);
  EXPECT_TRUE(cursor.ok());
  cursor.skip(~uint64_t{0});  // must not wrap round
  EXPECT_FALSE(cursor.ok());
  EXPECT_EQ(cursor.position(), 6u);
}

TEST(ByteCursor, ReadsStringsUpToTheirNul) {
  ByteCursor cursor(bytes_of(std::string_view("one\0\0two", 8)));
  EXPECT_EQ(cursor.c_string(), "one");
  EXPECT_EQ(cursor.c_string(), "");
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.c_string(), "");  // "two" has no NUL
  EXPECT_FALSE(cursor.ok());
}

TEST(ByteCursor, ReadsUleb128) {
  EXPECT_EQ(uleb128({0x00}), 0u);
  EXPECT_EQ(uleb128({0x7f}), 127u);
  EXPECT_EQ(uleb128({0xe5, 0x8e, 0x26}), 624485u);
  EXPECT_EQ(uleb128({0x80, 0x00}), 0u);  // padded
  EXPECT_EQ(uleb128({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}), ~uint64_t{0});
}

TEST(ByteCursor, RefusesUleb128BeyondItsEndOr64Bits) {
  EXPECT_TRUE(uleb128_fails({}));
  EXPECT_TRUE(uleb128_fails({0x80}));
  EXPECT_TRUE(uleb128_fails({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}));
  EXPECT_TRUE(uleb128_fails({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}));
}

TEST(ByteCursor, ReadsSleb128) {
  auto sleb128 = [](std::vector<uint8_t> bytes) {
    ByteCursor cursor(bytes);
    int64_t value = cursor.sleb128();
    EXPECT_TRUE(cursor.ok());
    EXPECT_EQ(cursor.remaining(), 0u);
    return value;
  };
  EXPECT_EQ(sleb128({0x00}), 0);
  EXPECT_EQ(sleb128({0x3f}), 63);
  EXPECT_EQ(sleb128({0x40}), -64);
  EXPECT_EQ(sleb128({0x7f}), -1);
  EXPECT_EQ(sleb128({0x80, 0x01}), 128);
  EXPECT_EQ(sleb128({0x80, 0x7f}), -128);
  EXPECT_EQ(sleb128({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00}), INT64_MAX);
  EXPECT_EQ(sleb128({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}), INT64_MIN);
}

TEST(ByteCursor, RefusesSleb128BeyondItsEndOr64Bits) {
  auto fails = [](std::vector<uint8_t> bytes) {
    ByteCursor cursor(bytes);
    return cursor.sleb128() == 0 && !cursor.ok();
  };
  EXPECT_TRUE(fails({}));
  EXPECT_TRUE(fails({0xff}));
  EXPECT_TRUE(fails({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}));
  EXPECT_TRUE(fails({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}));
}

TEST(UntilNul, StopsAtTheFirstNulOrTheEnd) {
  EXPECT_EQ(until_nul(bytes_of(std::string_view("ab\0cd", 5))), "ab");
  EXPECT_EQ(until_nul(bytes_of("ab")), "ab");
  EXPECT_EQ(until_nul(bytes_of(std::string_view("\0", 1))), "");
  EXPECT_EQ(until_nul({}), "");
}

TEST(Bytes, SliceIsWholeOrNothing) {
  std::array<uint8_t, 3> three{1, 2, 3};
  EXPECT_EQ(slice(three, 1, 2)->front(), 2);
  EXPECT_EQ(slice(three, 3, 0)->size(), 0u);
  EXPECT_FALSE(slice(three, 1, 3));
  EXPECT_FALSE(slice(three, 4, 0));
  EXPECT_FALSE(slice(three, 2, ~uint64_t{0}));
}

}  // namespace
}  // namespace pgo::bytes_test
