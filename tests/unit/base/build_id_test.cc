#include "pgo/base/build_id.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pgo::build_id_test {
namespace {

constexpr char kTwenty[] = "0123456789abcdef1032547698badcfe00000000";

BuildId id(const std::string& hex) {
  std::optional<BuildId> parsed = BuildId::from_hex(hex);
  EXPECT_TRUE(parsed) << hex;
  return parsed.value_or(BuildId());
}

TEST(BuildId, KeepsUpTo32Bytes) {
  std::vector<uint8_t> bytes(40, 0xab);
  EXPECT_EQ(BuildId(bytes).bytes().size(), 32u);
  EXPECT_EQ(BuildId(Bytes(bytes).first(3)).hex(), "ababab");
  EXPECT_TRUE(BuildId(Bytes()).empty());
  EXPECT_TRUE(BuildId().empty());
}

TEST(BuildId, GoesToHexAndBack) {
  EXPECT_EQ(id(kTwenty).hex(), kTwenty);
  EXPECT_EQ(id("00AbCdEf").hex(), "00abcdef");
}

TEST(BuildId, RefusesWhatIsNotHex) {
  for (std::string hex : {"", "0", "012", "0g", "g0", "0x01", " 01 "})
    EXPECT_FALSE(BuildId::from_hex(hex)) << hex;
  EXPECT_TRUE(BuildId::from_hex(std::string(64, '1')));
  EXPECT_FALSE(BuildId::from_hex(std::string(66, '1')));
}

TEST(BuildId, IsOrderedByBytesThenSize) {
  EXPECT_LT(id("01"), id("0100"));
  EXPECT_LT(id("0100"), id("02"));
  EXPECT_NE(id("01"), id("0100"));
  EXPECT_LT(BuildId(), id("00"));
}

TEST(BuildId, MatchesWhatIsAPrefixOfAtLeastEightBytes) {
  BuildId whole = id(kTwenty);
  EXPECT_TRUE(whole.matches(whole));
  for (size_t size = 1; size < 20; size++) {
    BuildId prefix(whole.bytes().first(size));
    EXPECT_EQ(whole.matches(prefix), size >= 8) << size;
    EXPECT_EQ(prefix.matches(whole), size >= 8) << size;
  }
  EXPECT_FALSE(whole.matches(id("0123456789abcdee")));
  EXPECT_TRUE(id("0123").matches(id("0123")));
  EXPECT_FALSE(id("0123").matches(id("012345")));
  EXPECT_FALSE(BuildId().matches(BuildId()));
  EXPECT_FALSE(whole.matches(BuildId()));
}

TEST(BuildId, TakesABoltedBinaryForItsInput) {
  BuildId input = id("0123456789abcdef10"), bolted = id("0123456789abcdef11");
  EXPECT_FALSE(input.matches(bolted));
  EXPECT_TRUE(input.matches_bolted(bolted));
  EXPECT_TRUE(bolted.matches_bolted(input));
  EXPECT_TRUE(input.matches_bolted(input));
  // The last quarter tells the layouts of one input apart.
  EXPECT_TRUE(input.matches_bolted(id("0123456789abcd9999")));
  EXPECT_TRUE(bolted.matches_bolted(id("0123456789abcd9999")));
  EXPECT_FALSE(input.matches_bolted(id("0123456789abcc9999")));
  // A short ID has no room for it: llvm-bolt flips the last bit.
  EXPECT_TRUE(id("01234567").matches_bolted(id("01234566")));
  EXPECT_FALSE(id("01234567").matches_bolted(id("01234565")));
  EXPECT_FALSE(id("01234567").matches_bolted(id("0123456600")));
  EXPECT_FALSE(BuildId().matches_bolted(BuildId()));
  EXPECT_FALSE(id("00").matches_bolted(BuildId()));
  EXPECT_FALSE(BuildId().matches_bolted(id("00")));
}

TEST(BuildId, TakesABoltedBinaryForItsInputWhenOneIdIsPadded) {
  // Old versions of perf store 20 bytes whatever the size of the id.
  BuildId input = id("0123456789abcdef"),
          padded_bolted = id("0123456789abcdee000000000000000000000000");
  EXPECT_TRUE(input.matches_bolted(padded_bolted));
  EXPECT_TRUE(padded_bolted.matches_bolted(input));
}

}  // namespace
}  // namespace pgo::build_id_test
