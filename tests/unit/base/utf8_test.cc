#include "pgo/base/utf8.h"

#include <gtest/gtest.h>

#include <tuple>

namespace pgo::utf8_test {
namespace {

TEST(Utf8, ValidTextStaysAsItIs) {
  for (std::string text : {"", "plain", "größe", "…", "\x7f", "\xc2\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(valid_utf8(text), text);
  EXPECT_EQ(valid_utf8(std::string_view("a\0b", 3)), std::string("a\0b", 3));
}

TEST(Utf8, BytesOfNoCharacterAreQuestionMarks) {
  EXPECT_EQ(valid_utf8("q\x80\x9f\xbf"
                       "e"),
            "q???e");
  EXPECT_EQ(valid_utf8("\xff\xfe\xf5\x80\x80\x80"), "??????");
  // Cut short, by the end or by the next character.
  EXPECT_EQ(valid_utf8("a\xc3"), "a?");
  EXPECT_EQ(valid_utf8("\xe2\x80z"), "??z");
  EXPECT_EQ(valid_utf8("\xf0\x9f\x98ö"), "???ö");
  // Not the shortest form, a surrogate, beyond the last.
  EXPECT_EQ(valid_utf8("\xc0\x9b \xc1\xbf"), "?? ??");
  EXPECT_EQ(valid_utf8("\xe0\x9f\xbf \xf0\x8f\xbf\xbf"), "??? ????");
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "???");
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), "????");
}

TEST(Utf8, BeginsWithACharacter) {
  for (auto [text, code, size] : {std::tuple("ax", U'a', 1u),
                                  {"öx", U'ö', 2u},
                                  {"…x", U'…', 3u},
                                  {"\U0001f600x", U'\U0001f600', 4u}}) {
    EXPECT_EQ(first_character(text).code, code);
    EXPECT_EQ(first_character(text).size, size);
  }
}

TEST(Utf8, KnowsWhatCannotBeSeen) {
  for (char32_t c :
       {U'\0', U'\n', U'\x1b', U'\x7f', U'\u009b', U'\u200b', U'\u202e', U'\u2066', U'\ufeff'})
    EXPECT_TRUE(is_invisible(c)) << static_cast<unsigned>(c);
  for (char32_t c : {U' ', U'~', U'ö', U'\u00a0', U'…', U'\u05d0', U'\U0001f600'})
    EXPECT_FALSE(is_invisible(c)) << static_cast<unsigned>(c);
}

TEST(Utf8, CountsCharacters) {
  EXPECT_EQ(count_characters(""), 0u);
  EXPECT_EQ(count_characters("größe…"), 6u);
}

}  // namespace
}  // namespace pgo::utf8_test
