#include "pgo/code/shown_name.h"

#include <gtest/gtest.h>

namespace pgo::shown_name_test {
namespace {

TEST(ShownName, IsDemangledWithoutUniqueNumbers) {
  EXPECT_EQ(shown_name("_ZL10divide_alli.__uniq.293108372109"), "divide_all(int)");
  EXPECT_EQ(shown_name("filter.__uniq.12"), "filter");
  EXPECT_EQ(shown_name("filter.__uniq.12.cold"), "filter.cold");
  EXPECT_EQ(shown_name("filter.__uniq.12/1"), "filter/1");
  EXPECT_EQ(shown_name("main"), "main");
  EXPECT_EQ(shown_name(""), "");
}

TEST(ShownName, LosesWhatIsInBracketsInnermostFirst) {
  const char* name =
      "_ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EED2Ev";
  EXPECT_EQ(shown_name(name, 200),
            "std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, "
            "std::allocator<char>>, "
            "std::allocator<std::__cxx11::basic_string<char, std::char_traits<char>, "
            "std::allocator<char>>>>::~vector()");
  EXPECT_EQ(shown_name(name, 80),
            "std::vector<std::__cxx11::basic_string<…>, std::allocator<…>>::~vector()");
  EXPECT_EQ(shown_name(name, 40), "std::vector<…>::~vector()");
  EXPECT_EQ(shown_name("f(int, std::pair<int, int>)", 20), "f(int, std::pair<…>)");
  EXPECT_EQ(shown_name("f(int, std::pair<int, int>)", 19), "f(…)");
}

TEST(ShownName, TellsOperatorsFromBrackets) {
  EXPECT_EQ(shown_name("operator<<(std::ostream&, std::vector<int, long> const&)", 20),
            "operator<<(…)");
  EXPECT_EQ(shown_name("a<int, int, int>::operator()(int, int, int) const", 30),
            "a<…>::operator()(…) const");
  EXPECT_EQ(shown_name("a<int, int, int>::operator->(int, int, int) const", 30),
            "a<…>::operator->(…) const");
  EXPECT_EQ(shown_name("(anonymous namespace)::f(int, std::pair<int, int>)", 30),
            "(anonymous namespace)::f(…)");
  EXPECT_EQ(shown_name("my_operator<std::pair<int, int>>(long, long)", 20), "my_operator<…>(…)");
}

TEST(ShownName, BytesThatAreNoTextTakeColumns) {
  EXPECT_EQ(shown_name("q\x80\x9f"), "q??");
  EXPECT_EQ(shown_name("q" + std::string(100'000, '\x80'), 9), "q?????…??");
}

TEST(ShownName, LosesItsMiddleAtLast) {
  std::string text = shown_name(std::string(60, 'a') + std::string(60, 'z'), 20);
  EXPECT_EQ(text, std::string(13, 'a') + "…" + std::string(6, 'z'));
  // Brackets that are not in pairs are only text.
  EXPECT_EQ(shown_name("a>>>>>>>>>>>>>>b", 10), "a>>>>>…>>b");
  EXPECT_EQ(shown_name("a<<<<<<<<<<<<<<b", 10), "a<<<<<<<<…");
  // Characters of several bytes stay whole.
  EXPECT_EQ(shown_name("ääääääääääääääää", 9), "äää…ä");
}

}  // namespace
}  // namespace pgo::shown_name_test
