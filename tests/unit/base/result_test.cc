#include "pgo/base/result.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::result_test {
namespace {

// Only exactly T makes a value: what merely converts to T must not compile.
static_assert(std::is_constructible_v<Result<std::string>, std::string>);
static_assert(!std::is_constructible_v<Result<std::string>, const char*>);
static_assert(!std::is_constructible_v<Result<long>, int>);
static_assert(!std::is_constructible_v<Result<int>, ErrorKind>);
static_assert(!std::is_default_constructible_v<Result<int>>);
static_assert(!std::is_default_constructible_v<Result<void>>);

Result<int> parse_digit(char c) {
  if (c < '0' || c > '9') return fail(ErrorKind::kInput, std::string("not a digit: ") + c);
  return int{c - '0'};
}

Result<int> add_digits(char a, char b) {
  PGO_TRY(int x, parse_digit(a));
  PGO_TRY(int y, parse_digit(b));
  return int{x + y};
}

Result<void> check_digit(char c) {
  PGO_CHECK(add_digits(c, '0'));
  return ok();
}

TEST(Result, TryTakesTheValue) {
  Result<int> sum = add_digits('3', '4');
  ASSERT_TRUE(sum.has_value());
  EXPECT_EQ(*sum, 7);
}

TEST(Result, TryReturnsTheError) {
  Result<int> sum = add_digits('3', 'x');
  ASSERT_FALSE(sum);
  EXPECT_EQ(sum.error(), (Error{ErrorKind::kInput, "not a digit: x"}));
}

TEST(Result, CheckPassesSuccessAndErrors) {
  EXPECT_TRUE(check_digit('1'));
  Result<void> bad = check_digit('?');
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message, "not a digit: ?");
}

}  // namespace
}  // namespace pgo::result_test
