#include "pgo/elf/bolt/address_translation.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/data/elf_builder.h"

namespace pgo::address_translation_test {
namespace {

// Writes a table byte by byte, as the comment in address_translation.h lays it out.
class TableBuilder {
 public:
  TableBuilder& number(uint64_t value) {  // ULEB128
    for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
    return byte(static_cast<uint8_t>(value));
  }
  TableBuilder& step(int value) {  // SLEB128 of one byte
    return byte(static_cast<uint8_t>(value & 0x7f));
  }
  TableBuilder& byte(uint8_t value) {
    bytes_ += static_cast<char>(value);
    return *this;
  }
  TableBuilder& hash() {
    bytes_.append(8, '\x5a');
    return *this;
  }

  std::string note() const { return ElfBuilder::note("BOLT", 1, bytes_); }

 private:
  std::string bytes_;
};

// A function at 0x400000 whose blocks 0, 8 and 4 follow each other in the output, the last of them
// in a cold fragment at 0x500000.
std::string small_table() {
  TableBuilder t;
  t.number(1);                                    // one hot fragment
  t.number(0x400000).hash().number(3).number(1);  // address, hash, blocks, secondary entries
  t.number(4).number(2).byte(0b10);           // entries; two of equal offsets, the second a branch
  t.number(0).hash().number(0);               // 0 -> 0, block 0
  t.number(3);                                // 3 -> 3, a branch
  t.number(2).step(16 - 7).hash().number(2);  // 5 -> 8, block 2
  t.number(1).step(19 - 16);                  // 6 -> 9, a branch
  t.number(8);                                // the secondary entry
  t.number(1);                                // one cold fragment
  t.number(0x500000 - 0x400006).number(0).number(4);  // address, of function 0, from offset 4
  t.number(2).number(1).byte(0b0);                    // entries; one of equal offsets
  t.number(0).hash().number(1);                       // 0 -> 4, block 1
  t.number(2).step(15 - 8);                           // 2 -> 7, a branch
  return t.note();
}

Bytes as_bytes(std::string_view text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string dump(const AddressTranslation& table) {
  std::ostringstream out;
  out << std::hex;
  for (const AddressTranslation::Fragment& fragment : table.fragments()) {
    out << fragment.begin.value << " of " << fragment.function.value << ':';
    for (const AddressTranslation::Entry& entry : fragment.entries)
      out << ' ' << entry.output << "->" << entry.input << (entry.branch ? "b" : "");
    out << '\n';
  }
  return out.str();
}

std::string result_of(std::string_view section) {
  Result<AddressTranslation> table = AddressTranslation::parse(as_bytes(section), "app");
  return table ? dump(*table) : table.error().message;
}

TEST(AddressTranslation, ReadsHotAndColdFragments) {
  EXPECT_EQ(result_of(small_table()),
            "400000 of 400000: 0->0 3->3b 5->8 6->9b\n"
            "500000 of 400000: 0->4 2->7b\n");
}

TEST(AddressTranslation, KeepsTheFirstOfEntriesForOnePlace) {
  TableBuilder t;
  t.number(1).number(0x1000).hash().number(2).number(0);
  t.number(2).number(1).byte(0);
  t.number(0).hash().number(0);          // 0 -> 0
  t.number(0).step(8).hash().number(1);  // 0 -> 4
  t.number(0);
  EXPECT_EQ(result_of(t.note()), "1000 of 1000: 0->0\n");
}

TEST(AddressTranslation, ExactErrors) {
  EXPECT_EQ(result_of(""), "app: .note.bolt_bat: position 0: expected a note of BOLT's, type 1");
  EXPECT_EQ(result_of(ElfBuilder::note("GNU", 1, "xx")),
            "app: .note.bolt_bat: position 16: expected a note of BOLT's, type 1");
  std::string section = small_table();
  EXPECT_EQ(result_of(std::string_view(section).substr(0, 40)),
            "app: .note.bolt_bat: position 20: the note is cut short");
  TableBuilder equal;
  equal.number(1).number(0x1000).hash().number(1).number(0).number(1).number(2);
  EXPECT_EQ(result_of(equal.note()),
            "app: .note.bolt_bat: position 35: more equal entries than entries");
  TableBuilder cold;
  cold.number(0).number(1).number(0x1000).number(3).number(0).number(0).number(0);
  EXPECT_EQ(result_of(cold.note()),
            "app: .note.bolt_bat: position 26: a cold fragment of function 3 of 0");
  TableBuilder many;
  many.number(1).number(0x1000).hash().number(1).number(0).number(1 << 20).number(0);
  EXPECT_EQ(result_of(many.note()), "app: .note.bolt_bat: position 37: a fragment is cut short");
  TableBuilder back;
  back.number(1).number(0x1000).hash().number(1).number(0).number(2).number(2).byte(0b11);
  back.number(9).number(~uint64_t{0});
  EXPECT_EQ(result_of(back.note()),
            "app: .note.bolt_bat: position 47: the offsets of a fragment go backwards");
  TableBuilder wide;
  wide.number(1).number(0x1000).hash().number(1).number(0).number(1).number(1).byte(0);
  wide.number(uint64_t{1} << 33).hash().number(0);
  EXPECT_EQ(result_of(wide.note()),
            "app: .note.bolt_bat: position 50: an offset is larger than any function: was it "
            "written by LLVM 18 or older?");
}

TEST(AddressTranslation, CutAnywhereItIsAnError) {
  std::string section = small_table();
  for (size_t size = 0; size < section.size(); size++)
    EXPECT_NE(result_of(std::string_view(section).substr(0, size)).find(".note.bolt_bat: position"),
              std::string::npos)
        << size;
}

TEST(AddressTranslation, ComesFromItsSection) {
  ElfBuilder elf;
  elf.add_section(".note.bolt_bat", SHT_NOTE, 0, 0, small_table());
  std::vector<uint8_t> with = elf.finish(), without = ElfBuilder().finish();
  Result<ElfImage> bolted = ElfImage::parse(with, "bolted"),
                   plain = ElfImage::parse(without, "app");
  ASSERT_TRUE(bolted && plain);
  EXPECT_TRUE(has_address_translation(*bolted));
  Result<AddressTranslation> table = read_address_translation(*bolted);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->fragments().size(), 2u);
  EXPECT_FALSE(has_address_translation(*plain));
  Result<AddressTranslation> none = read_address_translation(*plain);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(),
            (Error{ErrorKind::kUnsupported,
                   "app: no address translation table (.note.bolt_bat): BOLT the binary with "
                   "llvm-bolt -enable-bat"}));
}

}  // namespace
}  // namespace pgo::address_translation_test
