#include "pgo/elf/remaining_symbols.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/data/stripped_program.h"

namespace pgo::test::remaining_symbols_test {
namespace {

// "name address size section", a line each.
std::string remaining(const std::vector<uint8_t>& file) {
  const ElfImage image = ElfImage::parse(file, "lib").value();
  EXPECT_TRUE(image.symbols().empty());
  Result<ElfImage> symbols = with_remaining_symbols(image);
  if (!symbols) return "error: " + symbols.error().message;
  std::ostringstream text;
  for (const ElfImage::Symbol& symbol : symbols->symbols())
    text << symbol.name << ' ' << std::hex << symbol.addr.value << ' ' << symbol.size << ' '
         << symbols->sections()[symbol.section].name << '\n';
  return text.str();
}

TEST(RemainingSymbols, AreThoseOfTheDynamicTable) {
  EXPECT_EQ(remaining(stripped_program()), "open_door 1200 10 .text\n");
}

// What is in a section that the program has not is no symbol of it.
TEST(RemainingSymbols, AreThoseOfCompressedSymbolsToo) {
  EXPECT_EQ(remaining(stripped_program(xz_of(symbols_of_stripped_program()))),
            "open_door 1200 10 .text\nhidden 1210 10 .text\n");
}

TEST(RemainingSymbols, AreNoneInAFileWithoutAny) {
  EXPECT_EQ(remaining(ElfBuilder().finish()), "");
}

TEST(RemainingSymbols, RefusesDamage) {
  const std::string whole = xz_of(symbols_of_stripped_program());
  EXPECT_EQ(remaining(stripped_program(whole.substr(0, whole.size() / 2))),
            "error: lib: .gnu_debugdata: xz data is damaged or cut short");
  EXPECT_EQ(remaining(stripped_program("no xz data")),
            "error: lib: .gnu_debugdata: xz data is damaged or cut short");
  EXPECT_EQ(remaining(stripped_program(xz_of({'t', 'e', 'x', 't'}))),
            "error: lib: .gnu_debugdata: not an ELF file");
}

}  // namespace
}  // namespace pgo::test::remaining_symbols_test
