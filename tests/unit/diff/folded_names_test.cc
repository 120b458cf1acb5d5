#include "pgo/diff/folded_names.h"

#include <gtest/gtest.h>

#include "tests/data/elf_builder.h"

namespace pgo::folded_names_test {
namespace {

struct Symbol {
  const char* name;
  uint64_t addr, size;
};

std::vector<uint8_t> program(std::initializer_list<Symbol> symbols) {
  ElfBuilder elf;
  const uint16_t text = elf.next_section();
  const std::string code(64, '\x90');
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, code);
  for (const Symbol& symbol : symbols)
    elf.add_symbol(symbol.name, STT_FUNC, text, symbol.addr, symbol.size);
  return elf.finish();
}

TEST(FoldedNames, AreThoseOfOnePieceOfCode) {
  const std::vector<uint8_t> file = program({{"b", 0x1000, 8},
                                             {"a", 0x1000, 8},
                                             {"prefix", 0x1000, 4},  // another function in front
                                             {"other", 0x1010, 8}});
  const ElfImage image = ElfImage::parse(file, "program").value();
  EXPECT_EQ(folded_names({&image}), (FoldedNames{{"b", "a"}}));
}

TEST(FoldedNames, AreJoinedAcrossBuildsAndWithoutSuffixes) {
  const std::vector<uint8_t> before = program({{"a", 0x1000, 8}, {"b.llvm.7", 0x1000, 8}});
  const std::vector<uint8_t> after = program({{"c", 0x1008, 8}, {"b", 0x1008, 8}});
  const ElfImage first = ElfImage::parse(before, "before").value(),
                 second = ElfImage::parse(after, "after").value();
  EXPECT_EQ(folded_names({&first, &second}), (FoldedNames{{"b", "a"}, {"c", "a"}}));
}

}  // namespace
}  // namespace pgo::folded_names_test
