#include "pgo/dwarf/unit_headers.h"

#include <gtest/gtest.h>

#include "tests/data/byte_writer.h"
#include "tests/data/elf_builder.h"

namespace pgo::unit_headers_test {
namespace {

using test::ByteVector;

// Units of version 4 and 5 in turn, with nothing inside, whose tables of abbreviations are `step`
// bytes apart.
ByteVector units(uint32_t count, uint32_t step) {
  ByteVector info;
  for (uint32_t i = 0; i < count; i++) {
    bool is_new = i % 2 == 1;
    test::put32(info, is_new ? 8 : 7);
    test::put(info, static_cast<uint16_t>(is_new ? 5 : 4));
    if (is_new) test::put_bytes(info, ByteVector{1, 8});  // compile unit, size of addresses
    test::put32(info, i * step);
    if (!is_new) info.push_back(8);
  }
  return info;
}

// `count` abbreviations of five bytes each, in one table.
ByteVector abbreviations(size_t count) {
  ByteVector table;
  for (size_t i = 0; i < count; i++) test::put_bytes(table, ByteVector{1, 0x2e, 0, 0, 0});
  table.push_back(0);
  return table;
}

std::string fault(const ByteVector& info, const ByteVector& abbreviations, uint64_t stored) {
  ElfBuilder elf;
  elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, std::string(info.begin(), info.end()));
  elf.add_section(".debug_abbrev", SHT_PROGBITS, 0, 0,
                  std::string(abbreviations.begin(), abbreviations.end()));
  std::vector<uint8_t> file = elf.finish();
  llvm::StringRef bytes(reinterpret_cast<const char*>(file.data()), file.size());
  auto object =
      llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "f")));
  return read_unit_headers(*object, stored).fault.value_or("none");
}

TEST(UnitHeaders, BoundsUnitsByTheSizeOfTheFile) {
  EXPECT_EQ(fault({}, {}, 0), "none");
  EXPECT_EQ(fault(units(16384, 0), abbreviations(1), 31), "none");
  EXPECT_EQ(fault(units(16385, 0), abbreviations(1), 31),
            "has more than 16384 units, in a file of 31 bytes");
  EXPECT_EQ(fault(units(16385, 0), abbreviations(1), 32), "none");
}

TEST(UnitHeaders, RefusesTablesThatOverlap) {
  EXPECT_EQ(fault(units(100, 0), abbreviations(1000), 0), "none");
  EXPECT_EQ(fault(units(2, 5), abbreviations(1000), 0), "none");
  EXPECT_EQ(fault(units(3, 5), abbreviations(1000), 0), "has tables of abbreviations that overlap");
}

// Each context keeps about a hundred times the size of this table.
TEST(UnitHeaders, BoundsAbbreviationsByTheSizeOfTheFile) {
  EXPECT_EQ(fault(units(1, 0), abbreviations(20000), 0), "none");
  std::string refused = fault(units(1, 0), abbreviations(40000), 0);
  EXPECT_TRUE(refused.starts_with("has 200001 bytes of abbreviations, and ")) << refused;
}

TEST(UnitHeaders, WhatIsCutShortIsNoMatter) {
  ByteVector info = units(4, 0);
  for (size_t size = 0; size < info.size(); size++)
    EXPECT_EQ(fault(ByteVector(info.begin(), info.begin() + static_cast<long>(size)),
                    abbreviations(1), 0),
              "none");
}

}  // namespace
}  // namespace pgo::unit_headers_test
