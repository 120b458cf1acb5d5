#include "pgo/capture/binary_copy.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "pgo/elf/elf_image.h"
#include "tests/data/elf_builder.h"
#include "tests/data/temporary_files.h"

namespace pgo::binary_copy_test {
namespace {

class BinaryCopyTest : public test::TemporaryFiles {
 protected:
  static constexpr size_t kCode = 300'000, kDebug = 200'000;

  // A program with so much code and debug information.
  std::string program() const {
    ElfBuilder elf;
    elf.header.e_machine = EM_X86_64;
    const uint16_t text = elf.next_section();
    elf.add_code(0x1000, std::string(kCode, '\x90'));
    elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, std::string(kDebug, 'd'));
    elf.add_symbol("work", STT_FUNC, text, 0x1000, 256);
    elf.add_build_id("0123456789");
    const std::vector<uint8_t> bytes = elf.finish();
    return write("program", Bytes(bytes));
  }
  std::string error(const std::string& name, const CopiedParts& parts = {.with_code = true}) const {
    const Result<BinaryCopy> copy = BinaryCopy::read(path(name), parts);
    return copy ? "none" : text_of(copy.error());
  }
};

// A mapped file would end this process.
TEST_F(BinaryCopyTest, OutlivesAFileThatIsCutShort) {
  const std::string file = program();
  const Result<BinaryCopy> copy = BinaryCopy::read(file, {.with_code = true});
  ASSERT_TRUE(copy) << text_of(copy.error());
  const uint64_t size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, 0);
  const Result<ElfImage> image = ElfImage::parse(copy->bytes(), "program");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->build_id().hex(), "30313233343536373839");
  ASSERT_EQ(image->symbols().size(), 1u);
  EXPECT_EQ(image->symbols()[0].name, "work");
  EXPECT_EQ(as_text(image->find_section(".text")->bytes), std::string(kCode, '\x90'));
  // Debug information is not held.
  EXPECT_EQ(as_text(image->find_section(".debug_info")->bytes), std::string(kDebug, '\0'));
  EXPECT_EQ(copy->bytes().size(), size);
  EXPECT_LT(copy->copied_bytes(), kCode + 4096);
  EXPECT_GT(copy->copied_bytes(), kCode);
}

TEST_F(BinaryCopyTest, WithoutCodeItHasWhatIdentifiesTheFile) {
  const Result<BinaryCopy> copy = BinaryCopy::read(program(), {});
  ASSERT_TRUE(copy) << text_of(copy.error());
  const Result<ElfImage> image = ElfImage::parse(copy->bytes(), "program");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->build_id().hex(), "30313233343536373839");
  ASSERT_EQ(image->segments().size(), 1u);
  EXPECT_EQ(image->segments()[0].file_size, kCode);
  EXPECT_LT(copy->copied_bytes(), 4096u);
}

TEST_F(BinaryCopyTest, SaysWhatItDoesNotCopy) {
  const std::string file = program();
  EXPECT_EQ(error("program", {.with_code = true, .max_bytes = kCode}),
            "program: its code and symbols are larger than 300.0 kB; ");
  // The headers of sections are at the end.
  std::filesystem::resize_file(file, 1000);
  EXPECT_EQ(error("program"), "none");
  const Result<BinaryCopy> cut = BinaryCopy::read(file, {});
  ASSERT_TRUE(cut);
  EXPECT_FALSE(ElfImage::parse(cut->bytes(), "program"));
  write("text", std::string(100, 'a'));
  EXPECT_EQ(error("text"), "text: not a 64-bit ELF file that can be run; ");
  write("empty", "");
  EXPECT_EQ(error("empty"), "empty: not a 64-bit ELF file that can be run; ");
  EXPECT_EQ(error("none"), "none: cannot be opened, or is not a regular file; ");
  EXPECT_EQ(error(""), ": cannot be opened, or is not a regular file; ");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(error("pipe"), "pipe: cannot be opened, or is not a regular file; ");
}

// Whatever the headers say, nothing outside of the file is read.
TEST_F(BinaryCopyTest, HostileHeadersLeadNowhere) {
  for (const uint64_t place : {uint64_t{0}, uint64_t{1} << 20, UINT64_MAX - 8, UINT64_MAX}) {
    ElfBuilder elf;
    elf.header.e_machine = EM_X86_64;
    elf.add_segment(PT_NOTE, PF_R, place, UINT64_MAX, 0);
    elf.add_segment(PT_LOAD, PF_R | PF_X, place, UINT64_MAX, 0);
    std::vector<uint8_t> bytes = elf.finish();
    for (const size_t field : {offsetof(Elf64_Ehdr, e_shoff), offsetof(Elf64_Ehdr, e_phoff)}) {
      write("hostile", Bytes(bytes));
      EXPECT_EQ(error("hostile"), "none");
      std::memcpy(bytes.data() + field, &place, sizeof place);
    }
    write("hostile", Bytes(bytes));
    EXPECT_EQ(error("hostile"), "none");
  }
}

}  // namespace
}  // namespace pgo::binary_copy_test
