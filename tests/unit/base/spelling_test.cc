#include "pgo/base/spelling.h"

#include <gtest/gtest.h>

namespace pgo::spelling_test {
namespace {

TEST(Spelling, FindsTheNearestWord) {
  std::vector<std::string> known = {"--binary", "--by-line", "--output", "-o"};
  EXPECT_EQ(did_you_mean("--binry", known), "; did you mean --binary?");
  EXPECT_EQ(did_you_mean("--ouptut", known), "; did you mean --output?");
  EXPECT_EQ(did_you_mean("--byline", known), "; did you mean --by-line?");
}

TEST(Spelling, SaysNothingOfStrangers) {
  std::vector<std::string> known = {"--binary", "--output"};
  EXPECT_EQ(did_you_mean("--frobnicate", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'b'), known), "");
  EXPECT_EQ(did_you_mean("--binary", {}), "");
}

}  // namespace
}  // namespace pgo::spelling_test
