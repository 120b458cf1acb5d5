#include "pgo/elf/note.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/data/elf_builder.h"

namespace pgo::note_test {
namespace {

Bytes bytes_of(const std::string& text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string text_of(std::optional<Bytes> bytes) {
  if (!bytes) return "(none)";
  return std::string(as_text(*bytes));
}

// The note of a binary whose .note.prodpgo has these bytes.
std::string profile_note_in(const std::string& contents) {
  ElfBuilder elf;
  elf.add_section(".note.prodpgo", SHT_NOTE, SHF_ALLOC, 0x400300, contents);
  std::vector<uint8_t> file = elf.finish();
  Result<ElfImage> image = ElfImage::parse(file, "prog");
  if (!image) return image.error().message;
  return std::string(find_profile_note(*image).value_or("(none)"));
}

TEST(Note, IsFoundByOwnerAndType) {
  std::string notes = ElfBuilder::note("GNU", 1, "abi") + ElfBuilder::note("ProdPGO", 1, "ours") +
                      ElfBuilder::note("GNU", 3, "identity");
  EXPECT_EQ(text_of(find_note(bytes_of(notes), "GNU", 1)), "abi");
  EXPECT_EQ(text_of(find_note(bytes_of(notes), "GNU", 3)), "identity");
  EXPECT_EQ(text_of(find_note(bytes_of(notes), "ProdPGO", 1)), "ours");
  EXPECT_EQ(text_of(find_note(bytes_of(notes), "ProdPGO", 2)), "(none)");
  EXPECT_EQ(text_of(find_note(bytes_of(notes), "GN", 1)), "(none)");
}

TEST(Note, CutShortAnywhereIsNotThere) {
  std::string note = ElfBuilder::note("ProdPGO", 1, "12345678");
  ASSERT_EQ(text_of(find_note(bytes_of(note), "ProdPGO", 1)), "12345678");
  for (size_t size = 0; size < note.size(); size++)
    EXPECT_EQ(text_of(find_note(bytes_of(note.substr(0, size)), "ProdPGO", 1)), "(none)") << size;
}

TEST(Note, SizesThatOverflowAreNotThere) {
  std::string note = ElfBuilder::note("ProdPGO", 1, "1234");
  for (size_t at : {0u, 4u})
    for (char byte : {'\x7f', '\xff'}) {
      std::string wrong = note;
      wrong.replace(at, 4, 4, byte);
      EXPECT_EQ(text_of(find_note(bytes_of(wrong), "ProdPGO", 1)), "(none)") << at;
    }
}

TEST(Note, OfTheProfileIsOneLine) {
  EXPECT_EQ(profile_note_in(ElfBuilder::note("ProdPGO", 1, "{\"name\":\"x\"}")),
            "{\"name\":\"x\"}");
  EXPECT_EQ(profile_note_in(ElfBuilder::note("ProdPGO", 1, std::string("{}\0\0", 4))), "{}");
  EXPECT_EQ(profile_note_in(ElfBuilder::note("ProdPGO", 7, "{}")), "(none)");
  EXPECT_EQ(profile_note_in(""), "(none)");
}

TEST(Note, OfTheProfileIsBounded) {
  EXPECT_EQ(profile_note_in(ElfBuilder::note("ProdPGO", 1, std::string(64 << 10, 'x'))).size(),
            size_t{64 << 10});
  EXPECT_EQ(profile_note_in(ElfBuilder::note("ProdPGO", 1, std::string((64 << 10) + 1, 'x'))),
            "(none)");
}

}  // namespace
}  // namespace pgo::note_test
