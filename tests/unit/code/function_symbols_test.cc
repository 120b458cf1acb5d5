#include "pgo/code/function_symbols.h"

#include <gtest/gtest.h>

#include "tests/data/code_image.h"

namespace pgo::infer::function_symbols_test {
namespace {

constexpr uint64_t kText = 0x1000;

// Functions of 16 bytes, one after another; names that are alike are of one address when they
// follow each other as "name=other".
std::string entries_of(const std::vector<std::string>& names) {
  std::vector<test::CodeImage::Function> symbols;
  uint64_t at = kText;
  for (const std::string& name : names) {
    size_t other = name.find('=');
    symbols.push_back({name.substr(0, other), at, at + 16});
    if (other != std::string::npos) symbols.push_back({name.substr(other + 1), at, at + 16});
    at += 16;
  }
  test::CodeImage program(std::string(at - kText, '\x90'), kText, symbols);
  FunctionSymbols functions(*program.image, *program.image);
  std::string text;
  for (uint32_t i = 0; i < functions.functions().size(); i++) {
    std::optional<uint32_t> entered = functions.entered_by(i);
    text += text.empty() ? "" : " ";
    text += entered ? functions.functions()[*entered].name : "?";
  }
  return text;
}

TEST(FunctionSymbols, PartsAreEnteredByWhatTheyWereSplitOff) {
  EXPECT_EQ(entries_of({"f", "g", "g.cold", "f.cold.1", "f.warm"}), "f g g f f");
  EXPECT_EQ(entries_of({"f.part.0", "f.part.0.cold", "f"}), "f.part.0 f.part.0 f");
  // Functions of their own.
  EXPECT_EQ(entries_of({"f", "f.part.0", "f.1", "f.colder", "f_cold", ".cold", "7"}),
            "f f.part.0 f.1 f.colder f_cold .cold 7");
}

TEST(FunctionSymbols, PartsOfNothingAreThemselves) {
  EXPECT_EQ(entries_of({"g", "f.cold"}), "g f.cold");
}

TEST(FunctionSymbols, NobodyKnowsOfWhichFunctionOfANameAPartIs) {
  EXPECT_EQ(entries_of({"f", "f", "f.cold"}), "f f ?");
}

// Constructors have two names, and only one of them is kept.
TEST(FunctionSymbols, AllNamesOfAFunctionCount) {
  EXPECT_EQ(entries_of({"_ZN1AC1Ev=_ZN1AC2Ev", "_ZN1AC2Ev.cold"}), "_ZN1AC1Ev _ZN1AC1Ev");
}

}  // namespace
}  // namespace pgo::infer::function_symbols_test
