#include "pgo/refresh/recorded_build.h"

#include <gtest/gtest.h>

#include "pgo/base/mapped_file.h"
#include "tests/data/elf_builder.h"
#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::recorded_build_test {
namespace {

class RecordedBuildTest : public test::TemporaryFiles {
 protected:
  // A program with a function; `debug`: with debug information.
  std::string write_program(bool debug) {
    ElfBuilder builder;
    builder.add_code(0x1000, "\x90\xc3");
    builder.add_build_id(test::kReleasedId);
    if (debug) builder.add_section(".debug_info", SHT_PROGBITS, 0, 0, std::string(5000, 'd'));
    builder.add_symbol("main", STT_FUNC, 1, 0x1000, 2);
    return write("server", Bytes(builder.finish()));
  }
};

TEST_F(RecordedBuildTest, HasNoDebugInformation) {
  const uint64_t whole = MappedFile::open(write_program(true)).value().bytes().size();
  const Result<RecordedBuild> recorded = write_recorded_build(path("server"), path("out"));
  ASSERT_TRUE(recorded) << recorded.error().message;
  EXPECT_EQ(recorded->path, path("out"));
  EXPECT_EQ(recorded->obstacle, "");
  EXPECT_EQ(recorded->size, MappedFile::open(path("out")).value().bytes().size());
  EXPECT_LT(recorded->size + 4900, whole);
}

TEST_F(RecordedBuildTest, IsTheFileItselfWhereThatHasNone) {
  write_program(false);
  ASSERT_TRUE(write_recorded_build(path("server"), path("out")));
  const Result<MappedFile> build = MappedFile::open(path("server")),
                           file = MappedFile::open(path("out"));
  EXPECT_EQ(as_text(file->bytes()), as_text(build->bytes()));
}

TEST_F(RecordedBuildTest, IsLlvmBoltsInput) {
  write("bolted", Bytes(test::elf_of({.bolted = true})));
  EXPECT_EQ(write_recorded_build(path("bolted"), path("out"))->obstacle,
            "llvm-bolt made it, and llvm-bolt's input is not archived with it");
  EXPECT_FALSE(MappedFile::open(path("out")));
}

}  // namespace
}  // namespace pgo::recorded_build_test
