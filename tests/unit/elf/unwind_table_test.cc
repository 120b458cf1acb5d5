#include "pgo/elf/unwind_table.h"

#include <gtest/gtest.h>

#include "tests/data/elf_builder.h"

namespace pgo::unwind_table_test {
namespace {

constexpr uint64_t kHeaderAt = 0x800, kFramesAt = 0x1000, kTextAt = 0x4000;

std::string word(uint64_t value) {
  std::string text;
  for (int i = 0; i < 4; i++) text += static_cast<char>(value >> (8 * i));
  return text;
}

// A CIE whose FDEs write addresses relative to where they stand, in 4 bytes; 20 bytes of it.
std::string cie() {
  return word(16) + word(0) + std::string("\x01zR\0\x01\x78\x10\x01\x1b\0\0\0", 12);
}

// An FDE at `offset` of .eh_frame whose CIE is at 0; 20 bytes.
std::string fde(uint64_t offset, uint64_t begin, uint64_t size) {
  return word(16) + word(offset + 4) + word(begin - (kFramesAt + offset + 8)) + word(size) +
         std::string(4, '\0');
}

// Count of 4 bytes, table relative to .eh_frame_hdr, as linkers write it.
std::string header(uint64_t count, const std::string& table, uint64_t frames = kFramesAt) {
  return std::string("\x01\x1b\x03\x3b", 4) + word(frames - (kHeaderAt + 4)) + word(count) + table;
}

std::string row(uint64_t begin, uint64_t fde_offset) {
  return word(begin - kHeaderAt) + word(kFramesAt + fde_offset - kHeaderAt);
}

Result<UnwindTable> read(const std::string& header_bytes, const std::string& frames) {
  ElfBuilder elf;
  elf.add_section(".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, kHeaderAt, header_bytes);
  elf.add_section(".eh_frame", SHT_PROGBITS, SHF_ALLOC, kFramesAt, frames);
  std::vector<uint8_t> file = elf.finish();
  Result<ElfImage> image = ElfImage::parse(file, "app");
  EXPECT_TRUE(image && UnwindTable::is_in(*image));
  return UnwindTable::read(*image);
}

std::string error_of(const std::string& header_bytes, const std::string& frames) {
  Result<UnwindTable> table = read(header_bytes, frames);
  return table ? "no error" : table.error().message;
}

const std::string kTwo = cie() + fde(20, kTextAt, 0x10) + fde(40, kTextAt + 0x20, 0x8) + word(0);

TEST(UnwindTable, CoversWhatItsEntriesCover) {
  Result<UnwindTable> table = read(header(2, row(kTextAt, 20) + row(kTextAt + 0x20, 40)), kTwo);
  ASSERT_TRUE(table) << table.error().message;
  ASSERT_EQ(table->ranges().size(), 2u);
  EXPECT_FALSE(table->covers(ElfAddr{kTextAt - 1}));
  EXPECT_TRUE(table->covers(ElfAddr{kTextAt}));
  EXPECT_TRUE(table->covers(ElfAddr{kTextAt + 0xf}));
  EXPECT_FALSE(table->covers(ElfAddr{kTextAt + 0x10}));
  EXPECT_TRUE(table->covers(ElfAddr{kTextAt + 0x27}));
  EXPECT_FALSE(table->covers(ElfAddr{kTextAt + 0x28}));
}

TEST(UnwindTable, SaysWhatIsWrongWithTheHeader) {
  EXPECT_EQ(error_of("\x02\x1b\x03\x3b", kTwo), "app: .eh_frame_hdr: is not version 1");
  EXPECT_EQ(error_of(header(0, "", kFramesAt + 4), kTwo),
            "app: .eh_frame_hdr: does not point to .eh_frame at 0x1000");
  EXPECT_EQ(error_of(header(3, row(kTextAt, 20)), kTwo),
            "app: .eh_frame_hdr: ends within its table of 3 entries");
  EXPECT_EQ(error_of(header(2, row(kTextAt + 0x20, 40) + row(kTextAt, 20)), kTwo),
            "app: .eh_frame_hdr: is not sorted at 0x4000");
  EXPECT_EQ(error_of(header(1, row(kTextAt + 1, 20)), kTwo),
            "app: .eh_frame_hdr: the entry for 0x4001 is not in .eh_frame");
  EXPECT_EQ(error_of(header(1, row(kTextAt, 24)), kTwo),
            "app: .eh_frame_hdr: the entry for 0x4000 is not in .eh_frame");
}

TEST(UnwindTable, SaysWhatIsWrongWithTheEntries) {
  std::string none = header(0, "");
  EXPECT_EQ(error_of(none, word(400) + word(0)),
            "app: .eh_frame: entry at offset 0x0: does not fit into the section");
  EXPECT_EQ(error_of(none, word(0xffffffff) + word(0)),
            "app: .eh_frame: entry at offset 0x0: is of the 64-bit format, which is not read");
  EXPECT_EQ(error_of(none, fde(0, kTextAt, 1)),
            "app: .eh_frame: entry at offset 0x0: names no CIE before it");
  EXPECT_EQ(error_of(none, word(8) + word(0) + std::string("\x09zR\0", 4)),
            "app: .eh_frame: entry at offset 0x0: is a CIE that cannot be read");
  EXPECT_EQ(error_of(none, cie() + word(8) + word(24) + word(0)),
            "app: .eh_frame: entry at offset 0x14: has addresses that cannot be read");
}

}  // namespace
}  // namespace pgo::unwind_table_test
