#include "pgo/base/text_start.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::text_start_test {
namespace {

std::string start_of(const std::string& text, size_t lines) {
  Bytes start = first_lines({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, lines);
  return std::string(reinterpret_cast<const char*>(start.data()), start.size());
}

TEST(FirstLines, EndWithTheLine) {
  EXPECT_EQ(start_of("a\nb\nc\n", 1), "a\n");
  EXPECT_EQ(start_of("a\nb\nc\n", 2), "a\nb\n");
  EXPECT_EQ(start_of("a\nb\nc\n", 3), "a\nb\nc\n");
  EXPECT_EQ(start_of("a\nb\nc", 5), "a\nb\nc");
  EXPECT_EQ(start_of("\n\na\nb\n", 1), "\n\na\n");
  EXPECT_EQ(start_of("", 1), "");
}

TEST(FirstLines, AreBounded) {
  std::string text = "a\n" + std::string(kTextStart, 'b') + "\nc\n";
  EXPECT_EQ(start_of(text, 1), "a\n");
  EXPECT_EQ(start_of(text, 2), "a\n") << "of a line that is too long nothing";
  text.erase(0, 4);
  EXPECT_EQ(start_of(text, 1).size(), kTextStart - 1);
  EXPECT_EQ(start_of("b" + text, 1).size(), kTextStart);
  EXPECT_EQ(start_of("bb" + text, 1), "");
}

}  // namespace
}  // namespace pgo::text_start_test
