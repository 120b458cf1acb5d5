#include "pgo/dwarf/debug_info.h"

#include <gtest/gtest.h>
#include <llvm/BinaryFormat/Dwarf.h>

#include "tests/data/byte_writer.h"
#include "tests/data/elf_builder.h"

namespace pgo::debug_info_test {
namespace {

// How many contexts a file of so many units without contents has, of 64.
size_t contexts_of(uint32_t units) {
  test::ByteVector info;
  for (uint32_t i = 0; i < units; i++) {
    test::put32(info, 9);
    test::put(info, uint16_t{5});
    test::put_bytes(info, test::ByteVector{llvm::dwarf::DW_UT_compile, 8});
    test::put32(info, 0);
    info.push_back(1);
  }
  ElfBuilder elf;
  elf.add_section(".debug_abbrev", SHT_PROGBITS, 0, 0,
                  std::string{1, llvm::dwarf::DW_TAG_compile_unit, 0, 0, 0, 0});
  elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, std::string(info.begin(), info.end()));
  std::vector<uint8_t> file = elf.finish();
  ElfImage image = ElfImage::parse(file, "prog").value();
  return DebugInfo::open(image, 64).value()->context_count();
}

// Each context holds all units, and a unit takes about a hundred times its size.
TEST(DebugInfoTest, HasFewContextsOfVeryManyUnits) {
  EXPECT_EQ(contexts_of(1), 1u);
  EXPECT_EQ(contexts_of(500), 64u);
  EXPECT_EQ(contexts_of(16000), 2u);
}

}  // namespace
}  // namespace pgo::debug_info_test
