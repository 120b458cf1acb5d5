#include "pgo/elf/hot_symbols.h"

#include <gtest/gtest.h>

#include "tests/data/elf_builder.h"

namespace pgo::hot_symbols_test {
namespace {

// Code of four-byte instructions.
CodeMap four_byte_code() {
  return CodeMap(ElfAddr{0x1000}, ElfAddr{0x2000}, [](CodeMap& map, ElfAddr addr) {
    if (addr.value % 4 == 0) map.set(addr, CodeByte::instruction(4, CodeByte::kOther));
  });
}

std::string hottest(const std::vector<RangeCount>& ranges,
                    const std::vector<PcSample>& pc_samples) {
  ElfBuilder elf;
  uint16_t text = elf.next_section();
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, std::string(64, 'x'));
  elf.add_symbol("f", STT_FUNC, text, 0x1000, 0x10);
  elf.add_symbol("alias_of_f", STT_FUNC, text, 0x1000, 0x10);
  elf.add_symbol("label", STT_NOTYPE, text, 0x1004, 0x4);
  elf.add_symbol("g", STT_FUNC, text, 0x1010, 0x10);
  elf.add_symbol("inside_g", STT_FUNC, text, 0x1018, 0x8);
  elf.add_symbol("no_size", STT_FUNC, text, 0x1030, 0);
  std::vector<uint8_t> bytes = elf.finish();
  Result<ElfImage> image = ElfImage::parse(bytes, "a.elf");
  EXPECT_TRUE(image.has_value()) << image.error().message;
  CodeMap code = four_byte_code();
  HotSymbols hot = find_hot_symbols(*image, code, ranges, pc_samples);
  std::string text_of_all;
  for (const HotSymbol& symbol : hot.functions)
    text_of_all += std::string(symbol.name) + " " + std::to_string(symbol.weight) + ", ";
  return text_of_all + "of " + std::to_string(hot.total);
}

TEST(HotSymbols, RangesWeighTheirBytes) {
  // 0x1004 to 0x100b, twelve bytes with the last instruction.
  EXPECT_EQ(hottest({{ElfAddr{0x1004}, ElfAddr{0x100c}, 10}}, {}), "f 120, of 120");
}

TEST(HotSymbols, ARangeMayRunThroughSeveralFunctions) {
  EXPECT_EQ(hottest({{ElfAddr{0x100c}, ElfAddr{0x1024}, 2}}, {}), "g 16, inside_g 16, f 8, of 56");
}

TEST(HotSymbols, SamplesCountByTheirWeight) {
  EXPECT_EQ(
      hottest({}, {{ElfAddr{0x1010}, 3, 7}, {ElfAddr{0x100f}, 1, 9}, {ElfAddr{0x1030}, 1, 1}}),
      "f 9, g 7, of 17");
}

TEST(HotSymbols, NothingInNothing) {
  EXPECT_EQ(hottest({}, {}), "of 0");
  EXPECT_EQ(hottest({{ElfAddr{0x1100}, ElfAddr{0x1104}, 1}}, {}), "of 8");
}

}  // namespace
}  // namespace pgo::hot_symbols_test
