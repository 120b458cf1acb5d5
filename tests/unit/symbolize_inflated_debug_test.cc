// LLVM's own inflating of a section is the oracle.
#include "pgo/symbolize/inflated_debug.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/data/debug_program.h"
#include "tests/data/elf_builder.h"

namespace pgo::test {
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
  llvm::StringRef file(reinterpret_cast<const char*>(program->image->bytes().data()),
                       program->image->bytes().size());
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
  EXPECT_EQ(compressed, GetParam() == "unoptimised") << "the one that is built with -gz";
}

INSTANTIATE_TEST_SUITE_P(Programs, InflatedDebugTest, testing::ValuesIn(debug_program_names()),
                         program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(InflatedDebugTest);

// A section in zlib's form that claims to be `size` bytes and is none.
std::string damaged(uint64_t size) {
  Elf64_Chdr header{ELFCOMPRESS_ZLIB, 0, size, 1};
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes + "no such data";
}

TEST(InflatedDebug, LeavesOutWhatIsDamaged) {
  ElfBuilder builder;
  builder.add_section(".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0, damaged(100));
  builder.add_section(".debug_line", SHT_PROGBITS, SHF_COMPRESSED, 0, damaged(~uint64_t{0}));
  builder.add_section(".debug_str", SHT_PROGBITS, SHF_COMPRESSED, 0, "short");
  builder.add_section(".debug_abbrev", SHT_PROGBITS, 0, 0, "kept");
  builder.add_section(".text", SHT_PROGBITS, SHF_ALLOC, 0x1000, "code");
  std::vector<uint8_t> file = builder.finish();
  llvm::StringRef bytes(reinterpret_cast<const char*>(file.data()), file.size());
  auto object =
      llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "f")));
  DebugDamage damage;
  auto inflated = inflate_debug(*object, 2, damage).value();
  ASSERT_TRUE(inflated);
  auto copy = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(*inflated));
  std::string contents;
  for (const llvm::object::SectionRef& section : copy->sections())
    if (section.getIndex() != 0)
      contents += llvm::cantFail(section.getName()).str() + (section.isVirtual() ? " - " : " ") +
                  (section.isVirtual() ? "" : llvm::cantFail(section.getContents()).str() + " ");
  EXPECT_EQ(contents.substr(0, contents.find(".shstrtab")),
            ".debug_info - .debug_line - .debug_str - .debug_abbrev kept .text - ");
  auto text = [](const char* reason) {
    return std::string("f: its debug information is damaged: ") + reason +
           "; what it said there is missing from the profile";
  };
  Diagnostics told = damage.diagnostics("f");
  EXPECT_EQ(told.entries().at("damaged-debug-information").messages,
            (std::vector<std::string>{
                text(".debug_info: zlib error: Z_DATA_ERROR"),
                text(".debug_line: claims to inflate from 36 bytes to 18446744073709551615"),
                text(".debug_str: corrupted compressed section header")}));
}

}  // namespace
}  // namespace pgo::test
