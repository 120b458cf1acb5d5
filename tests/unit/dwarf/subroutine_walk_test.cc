// What no compiler writes: entries that LLVM's readers take for impossible. The debug information
// is of DWARF 4, of one unit and written here byte by byte.
#include "pgo/dwarf/subroutine_walk.h"

#include <gtest/gtest.h>

#include "pgo/dwarf/function_table.h"
#include "tests/data/byte_writer.h"
#include "tests/data/elf_builder.h"

namespace pgo::subroutine_walk_test {
namespace {

std::string section(const test::ByteVector& bytes) { return {bytes.begin(), bytes.end()}; }

// Abbreviations: 1 is a unit with children, 2 a variable and 3 a function called by a string, with
// these forms of an attribute each, and of the address of the function.
struct Forms {
  uint8_t unit = llvm::dwarf::DW_FORM_data1, variable = llvm::dwarf::DW_FORM_block,
          low_pc = llvm::dwarf::DW_FORM_addr, line = llvm::dwarf::DW_FORM_data1;
};

std::string abbreviations(const Forms& forms) {
  using namespace llvm::dwarf;
  return section({1, DW_TAG_compile_unit, 1, DW_AT_language, forms.unit, 0, 0}) +
         section({2, DW_TAG_variable, 0, DW_AT_location, forms.variable, 0, 0}) +
         section({3, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string}) +
         section({DW_AT_low_pc, forms.low_pc, DW_AT_high_pc, DW_FORM_data1}) +
         section({DW_AT_decl_line, forms.line, 0, 0, 0});
}

// What is found in `entries`, and what is said of them.
std::string read(const Forms& forms, const test::ByteVector& entries) {
  test::ByteVector info;
  test::put32(info, static_cast<uint32_t>(7 + entries.size()));
  test::put(info, uint16_t{4});
  test::put32(info, 0);
  info.push_back(8);
  test::put_bytes(info, entries);
  ElfBuilder elf;
  elf.add_section(".debug_abbrev", SHT_PROGBITS, 0, 0, abbreviations(forms));
  elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, section(info));
  std::vector<uint8_t> file = elf.finish();
  ElfImage image = ElfImage::parse(file, "prog").value();
  auto debug_info = DebugInfo::open(image, 1);
  if (!debug_info) return debug_info.error().message;
  std::string answer;
  FunctionTable functions(**debug_info, image, image);
  for (const auto& function : functions.functions()) answer += function.name.str() + " ";
  return answer + (*debug_info)->damage().first();
}

// The function `name` of 16 bytes at 0x1000, and its line.
void put_function(test::ByteVector& entries, char name, std::initializer_list<uint8_t> line) {
  entries.insert(entries.end(), {3, static_cast<uint8_t>(name), 0});
  test::put64(entries, 0x1000);
  entries.push_back(16);
  entries.insert(entries.end(), line);
}

TEST(SubroutineWalk, ReadsWhatIsWell) {
  test::ByteVector entries{1, 4, 2, 3, 9, 9, 9};
  put_function(entries, 'f', {7});
  entries.push_back(0);
  EXPECT_EQ(read({}, entries), "f ");
}

TEST(SubroutineWalk, StopsAtFormsThatNobodyKnows) {
  for (uint8_t form : {uint8_t{0x7f}, uint8_t{llvm::dwarf::DW_FORM_indirect}}) {
    test::ByteVector entries{1, 4};
    put_function(entries, 'f', {0x7f, 7});
    EXPECT_EQ(read({.line = form}, entries),
              "f its debug information is damaged: .debug_info: an attribute that cannot be read "
              "at offset 0x19");
    EXPECT_EQ(read({.variable = form}, {1, 4, 2, 0x7f, 7}),
              "its debug information is damaged: .debug_info: an attribute that cannot be skipped "
              "at offset 0xe");
    EXPECT_EQ(read({.unit = form}, {1, 0x7f, 7}),
              "prog: its debug information is damaged: .debug_info: an attribute that cannot be "
              "read of the unit at offset 0x0; build or copy the file again, or name its debug "
              "file with \xFF{debug-file}");
  }
}

// Sizes that lead back to where they stand, for ever, or out of the section.
TEST(SubroutineWalk, StopsAtImpossibleSizes) {
  const test::ByteVector back{0xf5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
      beyond{0x40};
  constexpr uint8_t kBlock = llvm::dwarf::DW_FORM_block;
  for (const test::ByteVector& size : {back, beyond}) {
    test::ByteVector variable{1, 4, 2}, unit{1};
    test::put_bytes(variable, size);
    test::put_bytes(unit, size);
    EXPECT_EQ(read({}, variable),
              "its debug information is damaged: .debug_info: an attribute that cannot be skipped "
              "at offset 0xe");
    EXPECT_EQ(read({.unit = kBlock}, unit),
              "prog: its debug information is damaged: .debug_info: an attribute that cannot be "
              "read of the unit at offset 0x0; build or copy the file again, or name its debug "
              "file with \xFF{debug-file}");
  }
}

// Of DWARF 4: functions that all name the same list of a thousand ranges.
std::string read_shared_ranges(uint16_t count) {
  using namespace llvm::dwarf;
  constexpr uint64_t kRanges = 1000;
  test::ByteVector entries{1};
  for (uint16_t i = 0; i < count; i++) {
    entries.push_back(2);
    test::put(entries, i);
    test::put_bytes(entries, test::ByteVector{'f', 0, 0, 0, 0, 0});  // its name, and 0
  }
  entries.push_back(0);
  test::ByteVector info, ranges;
  test::put32(info, static_cast<uint32_t>(7 + entries.size()));
  test::put(info, uint16_t{4});
  test::put32(info, 0);
  info.push_back(8);
  test::put_bytes(info, entries);
  for (uint64_t i = 1; i <= kRanges; i++) {
    test::put64(ranges, 0x1000 + 16 * i);
    test::put64(ranges, 0x1000 + 16 * i + 8);
  }
  ranges.insert(ranges.end(), 16, 0);
  ElfBuilder elf;
  elf.add_section(".debug_abbrev", SHT_PROGBITS, 0, 0,
                  section({1, DW_TAG_compile_unit, 1, 0, 0}) +
                      section({2, DW_TAG_subprogram, 0, DW_AT_decl_line, DW_FORM_data2}) +
                      section({DW_AT_name, DW_FORM_string, DW_AT_ranges, DW_FORM_sec_offset}) +
                      section({0, 0, 0}));
  elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, section(info));
  elf.add_section(".debug_ranges", SHT_PROGBITS, 0, 0, section(ranges));
  std::vector<uint8_t> file = elf.finish();
  ElfImage image = ElfImage::parse(file, "prog").value();
  auto debug_info = DebugInfo::open(image, 2).value();
  FunctionTable functions(*debug_info, image, image);
  return std::to_string(functions.functions().size()) + " functions " +
         debug_info->damage().first();
}

TEST(SubroutineWalk, HasALimitForRangesThatAreShared) {
  EXPECT_EQ(read_shared_ranges(60), "1 functions ");
  EXPECT_EQ(read_shared_ranges(100),
            "0 functions its debug information is damaged: .debug_info: there are more functions "
            "and ranges of code than a file of its size can have");
}

// A tree that ends before its unit does, but for padding.
TEST(SubroutineWalk, SaysWhatItDoesNotReach) {
  test::ByteVector entries{1, 4, 0, 0};
  put_function(entries, 'f', {7});
  EXPECT_EQ(read({}, entries),
            "its debug information is damaged: .debug_info: entries after the last one at offset "
            "0xf");
  EXPECT_EQ(read({}, {1, 4, 0, 0, 0, 0, 0}), "");
}

TEST(SubroutineWalk, SaysWhatHasNoAddress) {
  test::ByteVector entries{1, 4};
  put_function(entries, 'f', {7});
  EXPECT_EQ(read({.low_pc = llvm::dwarf::DW_FORM_data8}, entries),
            "its debug information is damaged: .debug_info: the address of a function cannot be "
            "found");
}

}  // namespace
}  // namespace pgo::subroutine_walk_test
