#include "pgo/base/json_nesting.h"

#include <gtest/gtest.h>

namespace pgo::json_nesting_test {
namespace {

TEST(JsonNesting, CountsBracketsThatAreOpenAtOnce) {
  EXPECT_FALSE(is_json_nested_deeper("{\"a\":[1,2],\"b\":[3]}", 2));
  EXPECT_TRUE(is_json_nested_deeper("{\"a\":[1,2],\"b\":[3]}", 1));
  EXPECT_FALSE(is_json_nested_deeper("", 0));
  EXPECT_TRUE(is_json_nested_deeper("]]]]{", 0));
}

TEST(JsonNesting, LeavesOutBracketsInStrings) {
  EXPECT_FALSE(is_json_nested_deeper("[\"[[{\\\"[[\"]", 1));
  EXPECT_FALSE(is_json_nested_deeper("[\"[[[[", 1));
}

}  // namespace
}  // namespace pgo::json_nesting_test
