#include "pgo/report/markdown_table.h"

#include <gtest/gtest.h>

namespace pgo::markdown_table_test {
namespace {

TEST(MarkdownCode, InterpretsNothing) {
  EXPECT_EQ(markdown_code("operator*(A<int> const&, [x](y))"),
            "`operator*(A<int> const&, [x](y))`");
  EXPECT_EQ(markdown_code("a\\b|c\n</details>\x1b"), "`a\\b|c?</details>?`");
  EXPECT_EQ(markdown_code(""), "");
}

TEST(MarkdownCode, IsNotEndedByBackticks) {
  EXPECT_EQ(markdown_code("module`function"), "``module`function``");
  EXPECT_EQ(markdown_code("`a``b"), "``` `a``b ```");
  EXPECT_EQ(markdown_code("`"), "`` ` ``");
  EXPECT_EQ(markdown_code(" a "), "`  a  `");
}

TEST(MarkdownTable, EscapesTheBarsOfCode) {
  EXPECT_EQ(markdown_table({{"COST", Align::kRight}, {"NAME", Align::kLeft, CellText::kCode}},
                           {{"a|b_", "operator|(A*)"}, {"1", "x\\|y"}}),
            "\n| cost | name |\n|--:|---|\n"
            "| a\\|b\\_ | `operator\\|(A*)` |\n"
            "| 1 | x\\\\\\|y |\n");
}

TEST(MarkdownWarnings, AreAListAfterAnEmptyLine) {
  EXPECT_EQ(markdown_warnings({}), "");
  EXPECT_EQ(markdown_warnings({"a_b: damaged", "c\nd"}),
            "\n- warning: a\\_b: damaged\n- warning: c?d\n");
}

}  // namespace
}  // namespace pgo::markdown_table_test
