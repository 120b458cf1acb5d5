#include "pgo/report/phrase.h"

#include <gtest/gtest.h>

namespace pgo::phrase_test {
namespace {

TEST(Phrase, MarksNamesInMarkdownAlone) {
  const Phrase sentence = Phrase::code("std::vector<int>") + " grew by more than *" + "20 %";
  EXPECT_EQ(sentence.text(), "std::vector<int> grew by more than *20 %");
  EXPECT_EQ(sentence.markdown(), "`std::vector<int>` grew by more than \\*20 %");
}

TEST(Phrase, AddsItselfUp) {
  Phrase phrase = Phrase::code("f");
  phrase += phrase;
  EXPECT_EQ(phrase.markdown(), "`f``f`");
  EXPECT_FALSE(phrase.empty());
  EXPECT_TRUE((Phrase("") + "").empty());
}

}  // namespace
}  // namespace pgo::phrase_test
