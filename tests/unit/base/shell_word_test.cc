#include "pgo/base/shell_word.h"

#include <gtest/gtest.h>

namespace pgo::shell_word_test {
namespace {

TEST(ShellWord, QuotesOnlyWhatAShellWouldChange) {
  EXPECT_EQ(shell_word("--time=5,10"), "--time=5,10");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("~"), "'~'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

TEST(ShellLine, SetsWordsApart) {
  EXPECT_EQ(shell_line({}), "");
  EXPECT_EQ(shell_line({"run", "", "$HOME"}), "run '' '$HOME'");
}

}  // namespace
}  // namespace pgo::shell_word_test
