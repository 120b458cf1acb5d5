#include "pgo/report/text_sheet.h"

#include <gtest/gtest.h>

namespace pgo::text_sheet_test {
namespace {

TEST(TextSheet, RowsKeepTheirColumn) {
  TextSheet sheet;
  sheet.line("a.perf: a recording");
  sheet.row("event", "cycles");
  sheet.rows("processes", {"1 a", "22 b"});
  sheet.rows("builds", {});
  sheet.row("a label that is long", "x");
  EXPECT_EQ(sheet.text(),
            "a.perf: a recording\n"
            "  event         cycles\n"
            "  processes     1 a\n"
            "                22 b\n"
            "  a label that is long x\n");
}

TEST(TextSheet, HoldsNothingThatATerminalObeys) {
  EXPECT_EQ(printable("\x1b]0;title\a\tx\x7f \xc2\x9b"
                      "31m größe \xc2\xa0"),
            "?]0;title??x? ?31m größe \xc2\xa0");
  EXPECT_EQ(printable(std::string("a\0b\xc2", 4)), "a?b?");
  EXPECT_EQ(printable("a\x9b"
                      "31m\xc0\x9b"),
            "a?31m??");
  TextSheet sheet;
  sheet.line("a\x1b");
  sheet.row("b\x1b", "c\x1b");
  sheet.table({{"NAME"}}, {{"d\x1b"}});
  sheet.block("e\x1b\n");
  EXPECT_EQ(sheet.text(),
            "a?\n"
            "  b?            c?\n"
            "\n"
            "  NAME\n"
            "  d?\n"
            "\n"
            "e?\n");
}

// A name that is written from right to left could show the columns of a row in another order.
TEST(TextSheet, HoldsNothingThatRearrangesALine) {
  EXPECT_EQ(printable_line("a\u202eb\u2066c\u200f\u200b\u2028d"), "a?b?c???d");
  TextSheet sheet;
  sheet.table({{"NAME"}, {"COST"}}, {{"\u202eabc", "1"}, {"d", "2"}});
  EXPECT_EQ(sheet.text(), "\n  NAME  COST\n  ?abc  1\n  d     2\n");
}

TEST(TextSheet, NamesBeginNoLines) {
  EXPECT_EQ(printable_line("a\n  b\r\n"), "a?  b??");
  EXPECT_EQ(printable("wanted:\n  a\nb\n  c\n"), "wanted:\n  a?b\n  c?");
  EXPECT_EQ(printable("\n  a"), "\n  a");
  EXPECT_EQ(printable(""), "");
  TextSheet sheet;
  sheet.line("a\npgo: b");
  sheet.row("c\n", "d\ne");
  sheet.rows("f", {"g\n  h", "i"});
  sheet.table({{"NAME"}}, {{"j\nk"}});
  sheet.block("  l\nm\n  n\n");
  EXPECT_EQ(sheet.text(),
            "a?pgo: b\n"
            "  c?            d?e\n"
            "  f             g?  h\n"
            "                i\n"
            "\n"
            "  NAME\n"
            "  j?k\n"
            "\n"
            "  l?m\n"
            "  n\n");
}

TEST(TextSheet, ColumnsHoldWhatIsNoText) {
  TextSheet sheet;
  sheet.table({{"A"}, {"B"}}, {{"\x80\x80", "x"}, {"ö", "y"}});
  EXPECT_EQ(sheet.text(),
            "\n"
            "  A   B\n"
            "  ??  x\n"
            "  ö   y\n");
}

TEST(TextSheet, TablesAreAsWideAsTheyNeedToBe) {
  TextSheet sheet;
  sheet.table({{"COUNT", Align::kRight}, {"NAME"}, {"ID"}},
              {{"1 234 567", "größe", "ab"}, {"8", "f", ""}});
  EXPECT_EQ(sheet.text(),
            "\n"
            "      COUNT  NAME   ID\n"
            "  1 234 567  größe  ab\n"
            "          8  f\n");
}

}  // namespace
}  // namespace pgo::text_sheet_test
