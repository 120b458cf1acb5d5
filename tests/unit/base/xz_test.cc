#include "pgo/base/xz.h"

#include <gtest/gtest.h>

#include "tests/data/xz_bytes.h"

namespace pgo::xz_test {
namespace {

std::string compressed(const std::string& text) { return test::xz_of({text.begin(), text.end()}); }

std::string inflated(const std::string& file, uint64_t limit = 1 << 24) {
  Result<InflatedBytes> bytes =
      inflate_xz({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, "x", limit);
  return bytes ? std::string(as_text(bytes->bytes())) : "error: " + bytes.error().message;
}

TEST(Xz, InflatesWhatWasCompressed) {
  std::string text;
  for (int i = 0; i < 10'000; i++) text += std::to_string(i * i) + " ";
  for (const std::string& one : {std::string(), std::string("a"), text})
    EXPECT_EQ(inflated(compressed(one)), one);
}

TEST(Xz, RefusesWhatIsDamagedOrCutShort) {
  const std::string whole = compressed(std::string(1000, 'a') + "b");
  for (size_t size = 0; size < whole.size(); size++)
    EXPECT_EQ(inflated(whole.substr(0, size)), "error: x: xz data is damaged or cut short") << size;
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  EXPECT_EQ(inflated(damaged), "error: x: xz data is damaged or cut short");
  EXPECT_EQ(inflated("no xz data at all"), "error: x: xz data is damaged or cut short");
}

TEST(Xz, InflatesNoMoreThanTheLimit) {
  const std::string file = compressed(std::string(100'000, 'a'));
  EXPECT_EQ(inflated(file, 100'000), std::string(100'000, 'a'));
  EXPECT_EQ(inflated(file, 99'999),
            "error: x: inflates to more than 99999 bytes, which is the limit; is it damaged?");
}

}  // namespace
}  // namespace pgo::xz_test
