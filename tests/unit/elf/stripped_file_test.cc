#include "pgo/elf/stripped_file.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/data/elf_builder.h"

namespace pgo::stripped_file_test {
namespace {

const std::string kId("\x01\x02\x03\x04\x05\x06\x07\x08", 8);

// Code, debug information with relocations, a comment behind it, a symbol.
struct Program {
  ElfBuilder builder;
  uint16_t debug = 0, relocations = 0, comment = 0;

  Program() {
    builder.add_code(0x1000, "\x90\xc3");
    builder.add_build_id(kId);
    debug = builder.next_section();
    builder.add_section(".debug_info", SHT_PROGBITS, 0, 0, std::string(3000, 'd'));
    relocations = builder.next_section();
    builder.add_section(".rela.debug_info", SHT_RELA, 0, 0, std::string(240, 'r'));
    comment = builder.next_section();
    builder.add_section(".comment", SHT_PROGBITS, 0, 0, "made by hand");
    builder.add_symbol("main", STT_FUNC, 1, 0x1000, 2);
  }
  std::vector<uint8_t> finish() {
    std::vector<uint8_t> file = builder.finish();
    edit_section(file, relocations, [&](Elf64_Shdr& header) { header.sh_info = debug; });
    return file;
  }
  template <typename Edit>
  void edit_section(std::vector<uint8_t>& file, uint16_t index, Edit edit) const {
    uint8_t* place = file.data() + builder.header.e_shoff + index * sizeof(Elf64_Shdr);
    Elf64_Shdr header;
    std::memcpy(&header, place, sizeof header);
    edit(header);
    std::memcpy(place, &header, sizeof header);
  }
};

std::optional<std::string> strip(const std::vector<uint8_t>& file) {
  return strip_debug_sections(ElfImage::parse(Bytes(file), "program").value());
}

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(StrippedFile, KeepsAllButDebugInformation) {
  Program program;
  const std::vector<uint8_t> file = program.finish();
  const std::optional<std::string> stripped = strip(file);
  ASSERT_TRUE(stripped);
  EXPECT_LT(stripped->size() + 3200, file.size());
  const ElfImage before = ElfImage::parse(Bytes(file), "before").value(),
                 after = ElfImage::parse(bytes_of(*stripped), "after").value();
  EXPECT_EQ(after.build_id(), before.build_id());
  ASSERT_EQ(after.sections().size(), before.sections().size());
  for (size_t i = 0; i < before.sections().size(); i++) {
    const ElfImage::Section &was = before.sections()[i], &is = after.sections()[i];
    if (i == program.debug || i == program.relocations) {
      EXPECT_EQ(is.size, 0u);
      EXPECT_EQ(is.name, "");
      continue;
    }
    EXPECT_EQ(is.name, was.name);
    EXPECT_EQ(as_text(is.bytes), as_text(was.bytes)) << was.name;
  }
  ASSERT_EQ(after.symbols().size(), 1u);
  EXPECT_EQ(after.symbols()[0].name, "main");
  EXPECT_EQ(after.to_elf_addr(before.segments()[0].offset, SegmentKind::kAny), ElfAddr{0x1000});
  EXPECT_FALSE(strip_debug_sections(after)) << "nothing is left to strip";
}

TEST(StrippedFile, RefusesUnusualHeaders) {
  Program program;
  const std::vector<uint8_t> usual = program.finish();
  std::vector<uint8_t> file = usual;
  program.edit_section(file, program.comment,
                       [](Elf64_Shdr& header) { header.sh_addralign = uint64_t{1} << 40; });
  EXPECT_FALSE(strip(file));
  // All sections behind the code overlap, so that their copies would be larger than the file.
  file = usual;
  for (uint16_t i = program.comment; i < program.builder.header.e_shstrndx; i++)
    program.edit_section(file, i, [&](Elf64_Shdr& header) {
      header.sh_type = SHT_PROGBITS;
      header.sh_offset = sizeof(Elf64_Ehdr);
      header.sh_size = usual.size() - sizeof(Elf64_Ehdr);
    });
  EXPECT_FALSE(strip(file));
  // A section that ends behind the file.
  file = usual;
  program.edit_section(file, program.comment,
                       [](Elf64_Shdr& header) { header.sh_size = ~uint64_t{0}; });
  EXPECT_FALSE(strip(file));
}

TEST(StrippedFile, LoadedSectionsAreNoDebugInformation) {
  ElfBuilder builder;
  builder.add_code(0x1000, "\x90\xc3");
  builder.add_section(".debug_gdb_scripts", SHT_PROGBITS, SHF_ALLOC, 0x2000, "scripts");
  EXPECT_FALSE(strip(builder.finish()));
}

}  // namespace
}  // namespace pgo::stripped_file_test
