// Line tables of version 5, written here byte by byte, of which LLVM would look up forms that it
// does not know. The program is of one unit and one function.
#include "pgo/dwarf/line_header.h"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Support/Compression.h>

#include <cstring>

#include "pgo/dwarf/frame_table.h"
#include "tests/data/byte_writer.h"
#include "tests/data/elf_builder.h"

namespace pgo::line_header_test {
namespace {

using namespace llvm::dwarf;
using test::ByteVector;

std::string section(const ByteVector& bytes) { return {bytes.begin(), bytes.end()}; }

// The tables of a header: how many fields an entry has, (content, form) of each, how many entries,
// the entries.
struct Tables {
  ByteVector directories{1, DW_LNCT_path, DW_FORM_string, 1, '/', 0};
  ByteVector files{
      2, DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index, DW_FORM_udata, 1, 'f', 0, 0};
};

// `bytes` behind their length, in 4 bytes.
ByteVector with_length(const ByteVector& bytes) {
  ByteVector all;
  test::put32(all, static_cast<uint32_t>(bytes.size()));
  test::put_bytes(all, bytes);
  return all;
}

// Line 7 for the 16 bytes of code at 0x1000; `padding` bytes of rows more.
ByteVector line_section(const Tables& tables, size_t padding = 0) {
  ByteVector header{1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  test::put_bytes(header, tables.directories);
  test::put_bytes(header, tables.files);
  ByteVector table;
  test::put(table, uint16_t{5});
  test::put_bytes(table, ByteVector{8, 0});  // sizes of addresses and segment selectors
  test::put_bytes(table, with_length(header));
  table.insert(table.end(), {DW_LNS_extended_op, 9, DW_LNE_set_address});
  test::put64(table, 0x1000);
  table.insert(table.end(), {DW_LNS_set_file, 0, DW_LNS_advance_line, 6, DW_LNS_copy});
  for (size_t i = 0; i < padding; i++) table.push_back(DW_LNS_copy);
  table.insert(table.end(), {DW_LNS_advance_pc, 16, DW_LNS_extended_op, 1, DW_LNE_end_sequence});
  return with_length(table);
}

ByteVector info_section() {
  ByteVector info;
  test::put(info, uint16_t{5});
  info.insert(info.end(), {DW_UT_compile, 8});
  test::put32(info, 0);  // .debug_abbrev
  info.push_back(1);
  test::put32(info, 0);  // .debug_line
  info.insert(info.end(), {2, 'f', 0});
  test::put64(info, 0x1000);
  info.insert(info.end(), {16, 0});
  return with_length(info);
}

std::string zlib(const ByteVector& bytes) {
  Elf64_Chdr header{ELFCOMPRESS_ZLIB, 0, bytes.size(), 1};
  llvm::SmallVector<uint8_t> stored;
  llvm::compression::zlib::compress({bytes.data(), bytes.size()}, stored);
  std::string section(sizeof header, '\0');
  std::memcpy(section.data(), &header, sizeof header);
  return section.append(stored.begin(), stored.end());
}

// `line` is .debug_line.
std::vector<uint8_t> program_of(const std::string& line, uint64_t flags = 0) {
  ElfBuilder elf;
  elf.add_section(
      ".debug_abbrev", SHT_PROGBITS, 0, 0,
      section({1, DW_TAG_compile_unit, 1, DW_AT_stmt_list, DW_FORM_sec_offset, 0, 0}) +
          section({2, DW_TAG_subprogram, 0, DW_AT_linkage_name, DW_FORM_string, DW_AT_low_pc}) +
          section({DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1, 0, 0, 0}));
  elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, section(info_section()));
  elf.add_section(".debug_line", SHT_PROGBITS, flags, 0, line);
  return elf.finish();
}

// The line at 0x1000, and the messages about damage.
std::string read_section(const std::string& line, uint64_t flags = 0) {
  std::vector<uint8_t> file = program_of(line, flags);
  ElfImage image = ElfImage::parse(file, "prog").value();
  auto debug_info = DebugInfo::open(image, 1).value();
  FrameBudget budget(*debug_info);
  FrameTable frames(*debug_info, 0, 0, LineZero::kWrite, {}, budget);
  FrameTable::Place place = frames.find(ElfAddr{0x1000});
  std::string damage = debug_info->damage().first();
  // What is believed depends on the size of the file.
  std::string limit = std::to_string(4 * ((1 << 18) + file.size()));
  if (size_t at = damage.find(limit); at != damage.npos) damage.replace(at, limit.size(), "LIMIT");
  return "line " + std::to_string(place.line.line) + " of " + frames.file_name(place.file).str() +
         damage;
}

std::string read(const Tables& tables) { return read_section(section(line_section(tables))); }

// Of one field with this content and form, and an entry of so many bytes that any form has enough.
ByteVector table_of(uint8_t content, uint64_t form) {
  ByteVector table{1, content};
  for (; form >= 0x80; form >>= 7) table.push_back(static_cast<uint8_t>(form | 0x80));
  table.push_back(static_cast<uint8_t>(form));
  table.push_back(1);
  table.insert(table.end(), 16, 0);
  return table;
}

TEST(LineHeader, ReadsSoundHeaders) { EXPECT_EQ(read({}), "line 7 of f"); }

// All numbers that have one byte, and those of compilers' own forms.
TEST(LineHeader, RefusesUnknownForms) {
  const std::string known = " a b d f 3 4 5 6 7 8 9 b c e 17 1a 1d 1e 1f 25 26 27 28 1f21 ";
  for (uint64_t form = 0; form < 0x2100; form = form == 0x7f ? 0x1eff : form + 1) {
    std::string number = llvm::utohexstr(form, true);
    bool is_known = known.find(" " + number + " ") != std::string::npos;
    SCOPED_TRACE(number);
    Tables directories{.directories = table_of(DW_LNCT_path, form)};
    Tables files{.files = table_of(DW_LNCT_path, form)};
    std::string fault =
        "line 0 of its debug information is damaged: .debug_line: the header at offset 0x0 uses "
        "form 0x" +
        number + ", which DWARF does not allow there";
    for (const std::string& answer : {read(directories), read(files)})
      EXPECT_EQ(answer == fault, !is_known) << answer;
  }
}

// LLVM reads on behind a wrong size of addresses.
TEST(LineHeader, RefusesUnknownFormsWhateverTheSizeOfAddresses) {
  Tables tables{.directories = table_of(DW_LNCT_path, DW_FORM_line_strp),
                .files = table_of(DW_LNCT_path, 0x2d)};
  tables.directories.resize(tables.directories.size() - 12);  // one entry of 4 bytes
  for (uint8_t size : ByteVector{0, 4, 8, 255}) {
    ByteVector line = line_section(tables);
    line[6] = size;
    EXPECT_EQ(read_section(section(line)),
              "line 0 of its debug information is damaged: .debug_line: the header at offset 0x0 "
              "uses form 0x2d, which DWARF does not allow there")
        << int{size};
  }
}

TEST(LineHeader, RefusesNumbersOfOtherForms) {
  for (uint8_t content : ByteVector{DW_LNCT_directory_index, DW_LNCT_timestamp, DW_LNCT_size})
    for (uint8_t form : ByteVector{DW_FORM_string, DW_FORM_block, DW_FORM_data16, DW_FORM_sdata}) {
      Tables tables;
      tables.files = {2, DW_LNCT_path, DW_FORM_string, content, form, 1, 'f', 0};
      tables.files.insert(tables.files.end(), 16, 0);
      EXPECT_EQ(read(tables),
                "line 0 of its debug information is damaged: .debug_line: the header at offset "
                "0x0 uses form 0x" +
                    llvm::utohexstr(form, true) + " for a number");
    }
}

// Of each row LLVM keeps 32 bytes.
TEST(LineHeader, RefusesProgramsThatInflateToMoreThanTheirFileCanHave) {
  if (!llvm::compression::zlib::isAvailable()) GTEST_SKIP() << "LLVM was built without zlib";
  ByteVector half = line_section({}, 1 << 19), twice = line_section({}, 1 << 21);
  EXPECT_EQ(read_section(zlib(half), SHF_COMPRESSED), "line 7 of f");
  EXPECT_EQ(read_section(section(twice)), "line 7 of f");
  EXPECT_EQ(read_section(zlib(twice), SHF_COMPRESSED),
            "line 0 of its debug information is damaged: .debug_line: the header at offset 0x0 "
            "claims " +
                std::to_string(twice.size() - 4) +
                " bytes of line program, and LIMIT at most are plausible for a file of its size");
}

// Threads would all have its rows at once.
TEST(LineHeader, RefusesOneProgramForManyUnits) {
  std::vector<uint8_t> file = program_of(section(line_section({}, 1 << 20)));
  ElfImage image = ElfImage::parse(file, "prog").value();
  auto debug_info = DebugInfo::open(image, 1).value();
  FrameBudget budget(*debug_info);
  auto line = [&] {
    FrameTable frames(*debug_info, 0, 0, LineZero::kWrite, {}, budget);
    return frames.find(ElfAddr{0x1000}).line.line;
  };
  EXPECT_EQ(line(), 7u);
  EXPECT_FALSE(budget.is_used_up());
  EXPECT_EQ(line(), 0u);
  EXPECT_TRUE(budget.is_used_up());
  std::string damage = debug_info->damage().first();
  EXPECT_TRUE(
      damage.starts_with("its debug information is damaged: .debug_line: the header at "
                         "offset 0x0 is one of many that claim more than "))
      << damage;
}

// Of entries that take no bytes there could be any number.
TEST(LineHeader, RefusesEntriesWithoutBytes) {
  Tables tables;
  tables.directories = {1, DW_LNCT_path, DW_FORM_flag_present, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
  EXPECT_EQ(
      read(tables),
      "line 0 of its debug information is damaged: .debug_line: the header at offset 0x0 uses "
      "form 0x19, which DWARF does not allow there");
  tables.directories = {1, DW_LNCT_path, DW_FORM_string, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
  // LLVM says itself that these are not whole.
  EXPECT_EQ(read(tables).substr(0, 80),
            "line 0 of its debug information is damaged: parsing line table prologue at 0x000");
}

}  // namespace
}  // namespace pgo::line_header_test
