// LLVM's own inflating of a section is the oracle.
#include "pgo/dwarf/inflated_debug.h"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Support/Compression.h>

#include <cstring>

#include "tests/data/debug_program.h"
#include "tests/data/elf_builder.h"

namespace pgo::test::inflated_debug_test {
namespace {

// What a context sees, section by section.
std::vector<llvm::StringRef> sections_of(const llvm::DWARFContext& context) {
  const llvm::DWARFObject& object = context.getDWARFObj();
  std::vector<llvm::StringRef> all{
      object.getAbbrevSection(),        object.getStrSection(),
      object.getLineStrSection(),       object.getLineSection().Data,
      object.getArangesSection(),       object.getRangesSection().Data,
      object.getRnglistsSection().Data, object.getStrOffsetsSection().Data,
      object.getAddrSection().Data};
  object.forEachInfoSections(
      [&](const llvm::DWARFSection& section) { all.push_back(section.Data); });
  return all;
}

using InflatedDebugTest = DebugProgramTest;

TEST_P(InflatedDebugTest, GivesAllContextsOneCopyOfWhatLlvmReads) {
  llvm::StringRef file = as_text(program->binary.image->bytes());
  auto object = llvm::cantFail(
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(file, "program")));
  auto oracle = llvm::DWARFContext::create(*object);
  std::vector<llvm::StringRef> expected = sections_of(*oracle),
                               first = sections_of(program->debug_info->context(0)),
                               second = sections_of(program->debug_info->context(1));
  ASSERT_EQ(first.size(), expected.size());
  ASSERT_EQ(second.size(), expected.size());
  for (size_t i = 0; i < first.size(); i++) {
    EXPECT_TRUE(first[i] == expected[i]) << i;
    EXPECT_EQ(static_cast<const void*>(first[i].data()), static_cast<const void*>(second[i].data()))
        << i;
  }
  bool compressed = file.data() > first[0].data() || first[0].data() >= file.data() + file.size();
  EXPECT_EQ(compressed, GetParam() == "unoptimized") << "the one that is built with -gz";
}

INSTANTIATE_TEST_SUITE_P(Programs, InflatedDebugTest, testing::ValuesIn(debug_program_names()),
                         program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(InflatedDebugTest);

// A compressed section that claims to be `size` bytes and has these for them.
std::string compressed(uint64_t size, std::string_view stored, uint32_t type = ELFCOMPRESS_ZLIB) {
  Elf64_Chdr header{type, 0, size, 1};
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes.append(stored);
}

std::string damaged(uint64_t size) { return compressed(size, "no such data"); }

std::string zlib(std::string_view text) {
  llvm::SmallVector<uint8_t> stored;
  llvm::compression::zlib::compress(llvm::arrayRefFromStringRef({text.data(), text.size()}),
                                    stored);
  return {stored.begin(), stored.end()};
}

// What is left of a file for LLVM: names of sections and their contents, but for the names
// themselves; "as it is" where LLVM reads the file itself. And what is told of it.
struct Inflated {
  std::string sections;
  std::vector<std::string> told;
};

Inflated inflate(ElfBuilder& builder) {
  std::vector<uint8_t> file = builder.finish();
  llvm::StringRef bytes = as_text(file);
  auto object =
      llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "f")));
  DebugDamage damage;
  auto inflated = inflate_debug(*object, 2, damage).value();
  Inflated result{"as it is", {}};
  if (inflated) {
    auto copy = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(*inflated));
    result.sections = "";
    for (const llvm::object::SectionRef& section : copy->sections()) {
      EXPECT_FALSE(section.isCompressed());
      std::string name = llvm::cantFail(section.getName()).str();
      if (section.getIndex() == 0 || name == ".shstrtab") continue;
      result.sections += name + " ";
      result.sections +=
          section.isVirtual() ? "- " : llvm::cantFail(section.getContents()).str() + " ";
    }
  }
  Diagnostics told = damage.diagnostics("f");
  if (!damage.empty()) result.told = told.entries().at("damaged-debug-information").messages;
  return result;
}

std::string text(const std::string& reason) {
  return "f: its debug information is damaged: " + reason +
         "; the code described there is missing from the profile";
}

TEST(InflatedDebug, LeavesOutWhatIsDamaged) {
  ElfBuilder builder;
  builder.add_section(".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0, damaged(100));
  builder.add_section(".debug_line", SHT_PROGBITS, SHF_COMPRESSED, 0, damaged(~uint64_t{0}));
  builder.add_section(".debug_str", SHT_PROGBITS, SHF_COMPRESSED, 0, "short");
  builder.add_section(".debug_abbrev", SHT_PROGBITS, 0, 0, "kept");
  builder.add_section(".text", SHT_PROGBITS, SHF_ALLOC, 0x1000, "code");
  Inflated left = inflate(builder);
  EXPECT_EQ(left.sections, ".debug_info - .debug_line - .debug_str - .debug_abbrev kept .text - ");
  EXPECT_EQ(left.told,
            (std::vector<std::string>{
                text(".debug_info: zlib error: Z_DATA_ERROR"),
                text(".debug_line: claims to inflate from 36 bytes to 18446744073709551615"),
                text(".debug_str: corrupted compressed section header")}));
}

// LLVM would inflate it itself, were it left as it is.
TEST(InflatedDebug, LeavesOutTheOnlyCompressedSection) {
  for (const char* name : {".debug_info", ".zdebug_info", ".text", ".note"}) {
    ElfBuilder builder;
    builder.add_section(name, SHT_PROGBITS, SHF_COMPRESSED, 0, damaged(uint64_t{3} << 30));
    Inflated left = inflate(builder);
    EXPECT_EQ(left.sections, std::string(name) + " - ");
    EXPECT_EQ(left.told,
              std::vector<std::string>{
                  text(std::string(name) + ": claims to inflate from 36 bytes to 3221225472")});
  }
}

TEST(InflatedDebug, InflatesWhateverTheNameIs) {
  ElfBuilder builder;
  builder.add_section(".debug_str", SHT_PROGBITS, SHF_COMPRESSED, 0, compressed(5, zlib("hello")));
  builder.add_section(".note", SHT_PROGBITS, SHF_COMPRESSED, 0, compressed(5, zlib("world")));
  builder.add_section(".text", SHT_PROGBITS, 0, 0, "code");
  builder.add_section(".bss", SHT_NOBITS, SHF_COMPRESSED, 0, "none");
  EXPECT_EQ(inflate(builder).sections, ".debug_str hello .note world .text - .bss - ");
}

TEST(InflatedDebug, LeavesOutWhatInflatesToAnotherSize) {
  ElfBuilder builder;
  builder.add_section(".debug_str", SHT_PROGBITS, SHF_COMPRESSED, 0, compressed(9, zlib("hello")));
  builder.add_section(".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0, compressed(3, zlib("hello")));
  Inflated left = inflate(builder);
  EXPECT_EQ(left.sections, ".debug_str - .debug_info - ");
  EXPECT_EQ(left.told, (std::vector<std::string>{
                           text(".debug_info: zlib error: Z_BUF_ERROR"),
                           text(".debug_str: inflates to 5 bytes, not to the 9 that it claims")}));
}

// Each has a megabyte, together they would have 100.
TEST(InflatedDebug, HasALimitForAllSectionsTogether) {
  ElfBuilder builder;
  std::string megabyte = compressed(1 << 20, zlib(std::string(1 << 20, 'x')));
  for (int i = 0; i < 100; i++)
    builder.add_section(".debug_str", SHT_PROGBITS, SHF_COMPRESSED, 0, megabyte);
  Inflated left = inflate(builder);
  EXPECT_GT(left.sections.size(), size_t{15} << 20);
  EXPECT_LT(left.sections.size(), size_t{25} << 20);
  EXPECT_EQ(left.told,
            std::vector<std::string>{text(".debug_str: no room for 1048576 bytes of it")});
}

// Its other sections are what relocations need.
TEST(InflatedDebug, KeepsAllSectionsOfAnObjectFile) {
  ElfBuilder builder;
  builder.header.e_type = ET_REL;
  builder.add_section(".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0, damaged(uint64_t{3} << 30));
  builder.add_section(".debug_str", SHT_PROGBITS, SHF_COMPRESSED, 0, compressed(5, zlib("hello")));
  builder.add_section(".rela.debug_info", SHT_PROGBITS, 0, 0, "those");
  EXPECT_EQ(inflate(builder).sections, ".debug_info - .debug_str hello .rela.debug_info those ");
}

TEST(InflatedDebug, IsNotForFilesWithoutCompression) {
  ElfBuilder builder;
  builder.add_section(".debug_info", SHT_PROGBITS, 0, 0, "kept");
  EXPECT_EQ(inflate(builder).sections, "as it is");
}

// The names were read as they are, so they cannot be compressed.
TEST(InflatedDebug, KeepsNamesAsTheyAre) {
  ElfBuilder builder;
  builder.add_section(".debug_info", SHT_PROGBITS, 0, 0, "kept");
  std::vector<uint8_t> file = builder.finish();
  Elf64_Shdr names;
  uint64_t at = builder.header.e_shoff + builder.header.e_shstrndx * sizeof names;
  std::memcpy(&names, file.data() + at, sizeof names);
  names.sh_flags = SHF_COMPRESSED;
  std::memcpy(file.data() + at, &names, sizeof names);
  llvm::StringRef bytes = as_text(file);
  auto object =
      llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "f")));
  DebugDamage damage;
  auto inflated = inflate_debug(*object, 2, damage).value();
  auto copy = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(*inflated));
  std::vector<std::string> left;
  for (const llvm::object::SectionRef& section : copy->sections())
    left.push_back(llvm::cantFail(section.getName()).str());
  EXPECT_EQ(left, (std::vector<std::string>{"", ".debug_info", ".shstrtab"}));
  EXPECT_EQ(damage.first(),
            "its debug information is damaged: .shstrtab: the names of sections are compressed");
}

}  // namespace
}  // namespace pgo::test::inflated_debug_test
