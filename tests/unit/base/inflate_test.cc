#include "pgo/base/inflate.h"

#include <gtest/gtest.h>

#include <string>

#include "pgo/base/gzip.h"
#include "pgo/base/zstd.h"

namespace pgo::inflate_test {
namespace {

Bytes as_bytes(std::string_view text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string zstd(std::string_view text) {
  Result<std::string> out = pgo::zstd(text);
  return out ? *out : "no memory";
}

std::string inflated(std::string_view bytes, uint64_t limit = kInflateLimit) {
  Result<InflatedBytes> out = inflate(as_bytes(bytes), "p", limit);
  if (!out) return "error: " + out.error().message;
  return std::string(out->bytes().begin(), out->bytes().end());
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 20000; i++) text += std::to_string(i * i);
  return text;
}

TEST(Inflate, PlainBytesStayWhereTheyAre) {
  std::string text = "plain";
  Result<InflatedBytes> out = inflate(as_bytes(text), "p");
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(out->bytes().data(), as_bytes(text).data());
}

TEST(Inflate, GzipOfOneAndSeveralMembers) {
  std::string text = long_text();
  EXPECT_EQ(inflated(*gzip(text)), text);
  EXPECT_EQ(inflated(*gzip("")), "");
  EXPECT_EQ(inflated(*gzip(text) + *gzip("a") + *gzip("") + *gzip(text)), text + "a" + text);
}

TEST(Inflate, ZstdOfOneAndSeveralFrames) {
  std::string text = long_text();
  EXPECT_EQ(inflated(zstd(text)), text);
  EXPECT_EQ(inflated(zstd("") + zstd(text) + zstd("b")), text + "b");
}

TEST(Inflate, GzipHeaderSaysNothing) {
  EXPECT_EQ((*gzip("a")).substr(0, 10), std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10));
}

TEST(Inflate, TheStartTellsWhatIsInside) {
  std::string text = long_text();
  auto start = [](std::string_view bytes, size_t size) {
    return inflate_start(as_bytes(bytes), size);
  };
  EXPECT_EQ(start(text, 10), text.substr(0, 10));
  EXPECT_EQ(start("abc", 10), "abc");
  EXPECT_EQ(start(zstd(text), 10), text.substr(0, 10));
  EXPECT_EQ(start(zstd("ab") + zstd("c"), 10), "abc");
  EXPECT_EQ(start(*gzip(text), 10), text.substr(0, 10));
  EXPECT_EQ(start(*gzip("ab") + *gzip("c"), 10), "abc");
  EXPECT_EQ(start(*gzip("ab") + "damaged", 10), "ab");
  EXPECT_EQ(start("\x1f\x8b damaged", 10), "");
  EXPECT_EQ(start("\x28\xb5\x2f\xfd damaged", 10), "");
  EXPECT_EQ(start(zstd("ab").substr(0, 6), 10), "");
}

TEST(Zstd, EqualBytesGiveEqualFramesWithTheirSizeAndAChecksum) {
  std::string text = long_text(), damaged = zstd(text);
  EXPECT_EQ(zstd(text), damaged);
  damaged.back() ^= 1;
  std::string error = inflated(damaged);
  EXPECT_TRUE(error.starts_with("error: p: zstd data is damaged near byte ") &&
              error.ends_with("Restored data doesn't match checksum"))
      << error;
}

TEST(Inflate, StopsAtTheLimit) {
  constexpr const char* kError =
      "error: p: inflates to more than 100000 bytes, which is the limit; is it a profile? "
      "recordings are read uncompressed";
  std::string fits(100000, 'a'), bomb(2'000'000, 'a');
  EXPECT_EQ(inflated(*gzip(fits), 100000), fits);
  EXPECT_EQ(inflated(zstd(fits), 100000), fits);
  for (const std::string& large : {fits + "b", bomb}) {
    EXPECT_EQ(inflated(*gzip(large), 100000), kError);
    EXPECT_EQ(inflated(zstd(large), 100000), kError);
  }
  EXPECT_EQ(inflated(*gzip(fits) + *gzip("a"), 100000), kError);
  EXPECT_EQ(inflated(zstd(fits) + zstd("a"), 100000), kError);
}

TEST(Inflate, TheLimitGrowsWithTheFile) {
  EXPECT_EQ(inflate_limit(0), uint64_t{32} << 20);
  EXPECT_EQ(inflate_limit(1 << 20), uint64_t{132} << 20);
  EXPECT_EQ(inflate_limit(10 << 20), kInflateLimit);
  EXPECT_EQ(inflate_limit(~uint64_t{0}), kInflateLimit);
  std::string bomb = zstd(std::string(40 << 20, 'a'));
  EXPECT_EQ(inflate(as_bytes(bomb), "p").error().message,
            "p: inflates to more than " + std::to_string((32 << 20) + 100 * bomb.size()) +
                " bytes, which is the limit; is it a profile? recordings are read uncompressed");
}

TEST(Inflate, WhatIsCutShortIsAnErrorAtEveryByte) {
  std::string text = "some text that repeats, some text that repeats";
  std::string by_gzip = *gzip(text), by_zstd = zstd(text);
  for (size_t size = 2; size < by_gzip.size(); size++)
    EXPECT_EQ(inflated(by_gzip.substr(0, size)),
              "error: p: gzip member 1, at byte 0, is damaged or cut short");
  for (size_t size = 4; size < by_zstd.size(); size++)
    EXPECT_EQ(inflated(by_zstd.substr(0, size)), "error: p: zstd data is cut short");
  EXPECT_EQ(inflated(by_gzip + "tail"), "error: p: gzip member 2, at byte " +
                                            std::to_string(by_gzip.size()) +
                                            ", is damaged or cut short");
}

TEST(Inflate, DamageIsAnError) {
  std::string by_zstd = zstd(long_text());
  by_zstd[by_zstd.size() / 2] ^= 0x55;
  by_zstd[12] ^= 0x55;
  EXPECT_TRUE(inflated(by_zstd).starts_with("error: p: zstd data is ")) << inflated(by_zstd);
}

}  // namespace
}  // namespace pgo::inflate_test
