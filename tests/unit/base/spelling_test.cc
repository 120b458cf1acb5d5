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

TEST(Spelling, CountsAnExchangeOfNeighboursOnce) {
  EXPECT_EQ(did_you_mean("recrod", {"record", "refresh"}), "; did you mean record?");
  EXPECT_EQ(did_you_mean("erocrd", {"record"}), "");
}

TEST(Spelling, ComesBeforeOtherAdvice) {
  EXPECT_EQ(spelling_advice("brotl", {"brotli"}, "'list' shows all"),
            "did you mean brotli? 'list' shows all");
  EXPECT_EQ(spelling_advice("redis", {"brotli"}, "'list' shows all"), "'list' shows all");
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
