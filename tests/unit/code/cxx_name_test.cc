// LLVM's own demangler is the oracle for names within the bounds.
#include "pgo/code/cxx_name.h"

#include <gtest/gtest.h>
#include <llvm/Demangle/Demangle.h>

namespace pgo::cxx_name_test {
namespace {

std::string repeated(const std::string& text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; i++) result += text;
  return result;
}

TEST(CxxName, IsSpelledAsLlvmSpellsIt) {
  for (const char* name :
       {"_Z3foov", "_ZNK2ns4list4pushIcEEvT_", "_ZNSt6vectorIiSaIiEE9push_backEOi",
        "_ZN12_GLOBAL__N_13fooEi", "_ZNK1AcvmEv", "_ZN1AcvT_IiEEv", "_ZZ3fooiENKUliE_clEi",
        "_Z1fIJidcEEvDpT_", "_Z1fPA3_iPFivE", "_Z3foov.cold", "___Z3foov_block_invoke", "_ZTV1A",
        "_Z1fILi3EEvDTcl1gLi1EEE", "_Z1fITtTyE1aEvv", "_Z1fITpTyJEEvv"}) {
    std::string expected = llvm::demangle(name);
    EXPECT_EQ(demangle_cxx(name).value_or(name), expected);
  }
}

TEST(CxxName, IgnoresOtherNames) {
  for (const char* name :
       {"", "main", "i", "_Z", "_Z3fo", "_RNvC1a1b", "_D3foo3barFZv", "?f@@YAXXZ"})
    EXPECT_EQ(demangle_cxx(name), std::nullopt) << name;
}

// Parameters a<int, int>, a<a<int, int>, a<int, int>> and so on: each is twice as long as the one
// before.
std::string doubling(size_t times) {
  std::string name = "_Z1f1aIiiE";
  constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (size_t i = 0; i < times; i++) {
    std::string before = std::string("S") + kDigits[i] + "_";
    name += "S_I" + before + before + "E";
  }
  return name;
}

TEST(CxxName, HasALimitOfGrowth) {
  EXPECT_EQ(demangle_cxx(doubling(2)),
            "f(a<int, int>, a<a<int, int>, a<int, int>>, "
            "a<a<a<int, int>, a<int, int>>, a<a<int, int>, a<int, int>>>)");
  EXPECT_EQ(demangle_cxx(doubling(7)), llvm::demangle(doubling(7)));
  std::string name = doubling(29);  // LLVM: more than 8 GB
  EXPECT_EQ(name.size(), 300u);
  EXPECT_EQ(demangle_cxx(name), std::nullopt);
}

// The same with long identifiers, so that the text ends it, not the number of nodes.
TEST(CxxName, HasALimitOfText) {
  std::string identifier(2000, 'x');
  EXPECT_EQ(demangle_cxx("_Z1f2000" + identifier + repeated("S_", 10)),
            "f(" + identifier + repeated(", " + identifier, 10) + ")");
  EXPECT_EQ(demangle_cxx("_Z1f2000" + identifier + repeated("S_", 3000)), std::nullopt);
}

TEST(CxxName, HasALimitOfNesting) {
  for (const auto& [opening, closing] :
       {std::pair("P", ""), std::pair("1aI", "E"), std::pair("N1aI", "E1bE"), std::pair("PF", "iE"),
        std::pair("DTng", "E"), std::pair("A1_", ""), std::pair("KU1q", ""),
        std::pair("1aIXng", "EE"), std::pair("1aIJ", "EE"), std::pair("DTdi1x", "E"),
        std::pair("M1a", ""), std::pair("1aIL_Z1f", "EE"), std::pair("Dv1_", "")}) {
    SCOPED_TRACE(opening);
    for (size_t depth : {1000, 5000, 75'000}) {
      std::string name = "_Z1f" + repeated(opening, depth) + "i" + repeated(closing, depth);
      EXPECT_EQ(demangle_cxx(name), std::nullopt);
    }
  }
  EXPECT_EQ(demangle_cxx("_Z1f" + repeated("P", 100) + "i"), "f(int" + repeated("*", 100) + ")");
}

TEST(CxxName, HasALimitOfNestingForNamesAndParameters) {
  for (const std::string& name :
       {"_Z" + repeated("Z1fvE", 3000) + "1x", "_Z1f" + repeated("Z1fvE", 3000) + "1x",
        "_Z" + repeated("GR", 5000) + "1x", "_Z" + repeated("Tv0_n4_", 2000) + "1f",
        "_Z1fI" + repeated("Tt", 5000), "_Z1fI" + repeated("Tp", 5000),
        "_ZZ1fvENKUl" + repeated("Tt", 5000), "_ZN" + repeated("1a", 5000) + "E",
        "_Z1f" + repeated("B1x", 5000)})
    EXPECT_EQ(demangle_cxx(name), std::nullopt) << name.substr(0, 20);
}

TEST(CxxName, HasALimitOfLength) {
  auto of_length = [](size_t length) {
    std::string digits = std::to_string(length);
    return "_Z" + digits + std::string(length, 'x') + "v";
  };
  EXPECT_EQ(demangle_cxx(of_length(16'000)), std::string(16'000, 'x') + "()");
  EXPECT_EQ(demangle_cxx(of_length(16'384)), std::nullopt);
}

}  // namespace
}  // namespace pgo::cxx_name_test
