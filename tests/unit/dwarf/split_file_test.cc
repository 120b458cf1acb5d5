// A program of one unit, DWARF 5, whose entries are in a .dwo file or a package: all of them
// written here byte by byte, in a directory of the test.
#include "pgo/dwarf/split_file.h"

#include <gtest/gtest.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "pgo/dwarf/function_table.h"
#include "tests/data/byte_writer.h"
#include "tests/data/elf_builder.h"

namespace pgo::split_file_test {
namespace {

using namespace llvm::dwarf;
using test::ByteVector;

std::string text_of(const ByteVector& bytes) { return {bytes.begin(), bytes.end()}; }

// A unit of DWARF 5 with this identity.
std::string unit(uint8_t type, uint64_t id, const std::string& entries) {
  ByteVector bytes;
  test::put32(bytes, static_cast<uint32_t>(16 + entries.size()));
  test::put(bytes, uint16_t{5});
  bytes.push_back(type);
  bytes.push_back(8);
  test::put32(bytes, 0);  // .debug_abbrev
  test::put64(bytes, id);
  return text_of(bytes) + entries;
}

// A compressed section that claims to be `size` bytes.
std::string compressed(uint64_t size) {
  Elf64_Chdr header{ELFCOMPRESS_ZLIB, 0, size, 1};
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes + "no such data";
}

class SplitFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static constexpr uint64_t kId = 0x1122334455667788;

  std::string path(const char* name) const { return (folder_ / name).string(); }

  // A .dwo file: the function f of 16 bytes at 0x1000, in a unit with an attribute of this form.
  static ElfBuilder split_half(uint8_t form) {
    ElfBuilder elf;
    elf.header.e_type = ET_REL;
    elf.add_section(
        ".debug_abbrev.dwo", SHT_PROGBITS, 0, 0,
        text_of({1, DW_TAG_compile_unit, 1, DW_AT_language, form, 0, 0}) +
            text_of({2, DW_TAG_subprogram, 0, DW_AT_linkage_name, DW_FORM_string, DW_AT_low_pc}) +
            text_of({DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1, 0, 0, 0}));
    ByteVector entries{1, 4, 2, 'f', 0};
    test::put64(entries, 0x1000);
    entries.insert(entries.end(), {16, 0});
    elf.add_section(".debug_info.dwo", SHT_PROGBITS, 0, 0,
                    unit(DW_UT_split_compile, kId, text_of(entries)));
    return elf;
  }

  void write(const char* name, ElfBuilder elf) const {
    std::vector<uint8_t> file = elf.finish();
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
  }

  // The functions of a program whose unit is in this file, or why there are none; and what is told.
  std::string read(const std::string& dwo) const {
    ElfBuilder elf;
    elf.add_section(
        ".debug_abbrev", SHT_PROGBITS, 0, 0,
        text_of({1, DW_TAG_skeleton_unit, 0}) + text_of({DW_AT_dwo_name, DW_FORM_string, 0, 0, 0}));
    elf.add_section(".debug_info", SHT_PROGBITS, 0, 0,
                    unit(DW_UT_skeleton, kId, "\1" + dwo + std::string(1, '\0')));
    std::vector<uint8_t> file = elf.finish();
    ElfImage image = ElfImage::parse(file, path("prog")).value();
    auto debug_info = DebugInfo::open(image, 1);
    if (!debug_info) return debug_info.error().message;
    std::string answer;
    FunctionTable functions(**debug_info, image, image);
    for (const auto& function : functions.functions()) answer += function.name.str() + " ";
    return answer + (*debug_info)->damage().first();
  }

  std::string refused(const char* file, const std::string& reason) const {
    return path("prog") + ": its debug information is damaged: " + path(file) + ": " + reason +
           "; build or copy the file again, or name its debug file with \xFF{debug-file}";
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(SplitFileTest, ReadsSoundFiles) {
  write("a.dwo", split_half(DW_FORM_data1));
  EXPECT_EQ(read(path("a.dwo")), "f ");
  EXPECT_EQ(read(path("b.dwo")), "") << "it is not there";
}

TEST_F(SplitFileTest, RefusesUnknownForms) {
  for (uint8_t form : {uint8_t{0x7f}, uint8_t{DW_FORM_indirect}}) {
    write("a.dwo", split_half(form));
    EXPECT_EQ(
        read(path("a.dwo")),
        refused("a.dwo",
                ".debug_info.dwo: an attribute that cannot be read of the unit at offset 0x0"));
  }
}

// LLVM would inflate it to any size.
TEST_F(SplitFileTest, RefusesSectionsThatClaimTooMuch) {
  for (const char* name : {".debug_line.dwo", ".debug_str.dwo", ".text"}) {
    ElfBuilder elf = split_half(DW_FORM_data1);
    elf.add_section(name, SHT_PROGBITS, SHF_COMPRESSED, 0, compressed(uint64_t{3} << 30));
    write("a.dwo", elf);
    EXPECT_EQ(
        read(path("a.dwo")),
        refused("a.dwo", std::string(name) + ": claims to inflate from 36 bytes to 3221225472"));
  }
}

// A package comes before .dwo files.
TEST_F(SplitFileTest, ChecksPackagesFirst) {
  write("a.dwo", split_half(DW_FORM_data1));
  write("prog.dwp", split_half(0x7f));
  EXPECT_EQ(read(path("a.dwo")),
            refused("prog.dwp",
                    ".debug_info.dwo: an attribute that cannot be read of the unit at offset 0x0"));
  write("a.dwo", split_half(0x7f));
  write("prog.dwp", split_half(DW_FORM_data1));
  EXPECT_EQ(read(path("a.dwo")), "f ");
}

// A device may have no end, a pipe no writer.
TEST_F(SplitFileTest, RefusesPipes) {
  ASSERT_EQ(mkfifo(path("a.dwo").c_str(), 0600), 0);
  EXPECT_EQ(read(path("a.dwo")), refused("a.dwo", "is not a regular file"));
}

}  // namespace
}  // namespace pgo::split_file_test
