#include "pgo/binary/debug_file.h"

#include <gtest/gtest.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/CRC.h>

#include <filesystem>

#include "pgo/dwarf/debug_info.h"
#include "tests/data/elf_builder.h"
#include "tests/data/temporary_files.h"

namespace pgo::debug_file_test {
namespace {

namespace fs = std::filesystem;

constexpr char kId[] = "\xab\xcd\xef\x01\x02\x03\x04\x05", kOtherId[] = "87654321";

class DebugFileTest : public test::TemporaryFiles {
 protected:
  // Writes an ELF file; `id` may be empty, `link` too.
  std::string write(const std::string& name, const std::string& id, bool debug_info,
                    const std::string& link = "", uint32_t crc = 0) {
    ElfBuilder elf;
    if (!id.empty()) elf.add_build_id(id);
    if (debug_info) elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, "....");
    if (!link.empty()) {
      std::string contents = link;
      contents.resize((link.size() + 4) / 4 * 4);
      contents.append(reinterpret_cast<const char*>(&crc), sizeof crc);
      elf.add_section(".gnu_debuglink", SHT_PROGBITS, 0, 0, contents);
    }
    return TemporaryFiles::write(name, elf.finish());
  }

  std::string find(const std::string& binary, const std::vector<std::string>& files = {}) {
    ElfImage image = ElfImage::open(binary).value();
    auto found = find_debug_file(image, {files, {path("roots")}});
    if (!found) return found.error().message;
    return *found ? fs::relative(**found, path("")).string() : "none";
  }
};

TEST_F(DebugFileTest, TakesTheNamedFileOfTheSameBuild) {
  std::string binary = write("bin/app", kId, false);
  std::string wrong = write("wrong", kOtherId, true), right = write("right", kId, true),
              without = write("without", "", true);
  EXPECT_EQ(find(binary, {wrong, right}), "right");
  EXPECT_EQ(find(binary, {wrong, without, right}), "right");
  EXPECT_EQ(find(binary, {wrong}), "none");
  EXPECT_EQ(find(binary, {without}), "none") << "it may be of any build";
  EXPECT_EQ(find(binary, {path("missing")}).substr(0, path("missing").size()), path("missing"));
}

TEST_F(DebugFileTest, TakesANamedFileWithoutBuildIdWhereThereIsNoOther) {
  std::string binary = write("bin/app", "", false), with_id = write("with", kId, true),
              one = write("one", "", true), two = write("two", "", true);
  EXPECT_EQ(find(binary, {with_id, one}), "one");
  EXPECT_EQ(find(binary, {with_id}), "none");
  EXPECT_EQ(find(binary, {one, two}), "none") << "either may be it";
}

TEST_F(DebugFileTest, ChecksTheLinksChecksumOfNamedFiles) {
  std::string other = write("other", "", true, "longer"), right = write("right", "", true);
  ElfImage debug = ElfImage::open(right).value();
  uint32_t crc = llvm::crc32({debug.bytes().data(), debug.bytes().size()});
  EXPECT_EQ(find(write("app", "", false, "elsewhere", crc), {other, right}), "right");
  EXPECT_EQ(find(write("app", "", false, "elsewhere", crc + 1), {right}), "none");
}

// What a binary says about itself gives way only to a file of the same build.
TEST_F(DebugFileTest, KeepsTheBinarysOwnDebugInformation) {
  std::string binary = write("app", kId, true), without_id = write("libs", "", true, "named"),
              same = write("same", kId, true), without = write("without", "", true);
  EXPECT_EQ(find(binary, {without}), "none");
  EXPECT_EQ(find(without_id, {without}), "none");
  EXPECT_EQ(find(binary, {without, same}), "same");
  write("roots/.build-id/ab/cdef0102030405.debug", kId, true);
  EXPECT_EQ(find(binary), "none");
}

TEST_F(DebugFileTest, LooksForTheBuildId) {
  std::string binary = write("bin/app", kId, false);
  EXPECT_EQ(find(binary), "none");
  write("roots/.build-id/ab/cdef0102030405.debug", kOtherId, true);
  EXPECT_EQ(find(binary), "none") << "another build under this name";
  write("roots/.build-id/ab/cdef0102030405.debug", kId, false);
  EXPECT_EQ(find(binary), "none") << "no debug information in it";
  write("roots/.build-id/ab/cdef0102030405.debug", kId, true);
  EXPECT_EQ(find(binary), "roots/.build-id/ab/cdef0102030405.debug");
}

TEST_F(DebugFileTest, FollowsTheLink) {
  std::string binary = write("bin/app", kId, false, "app.debug");
  EXPECT_EQ(find(binary), "none");
  write("roots" + path("bin") + "/app.debug", kId, true);
  EXPECT_EQ(find(binary), "roots" + path("bin") + "/app.debug");
  write("bin/.debug/app.debug", kId, true);
  EXPECT_EQ(find(binary), "bin/.debug/app.debug");
  write("bin/app.debug", kId, true);
  EXPECT_EQ(find(binary), "bin/app.debug");
  write("bin/app.debug", kOtherId, true);
  EXPECT_EQ(find(binary), "bin/.debug/app.debug");
}

// Without build IDs the link's checksum tells whether a file belongs to the binary.
TEST_F(DebugFileTest, ChecksTheLinksChecksum) {
  ElfImage debug = ElfImage::open(write("app.debug", "", true)).value();
  uint32_t crc = llvm::crc32({debug.bytes().data(), debug.bytes().size()});
  EXPECT_EQ(find(write("app", "", false, "app.debug", crc + 1)), "none");
  EXPECT_EQ(find(write("app", "", false, "app.debug", crc)), "app.debug");
}

// A link to itself leads nowhere.
TEST_F(DebugFileTest, DoesNotTakeTheBinaryItself) {
  EXPECT_EQ(find(write("bin/app", kId, true, "app")), "none");
}

TEST_F(DebugFileTest, KnowsDebugInformation) {
  EXPECT_TRUE(has_debug_info(ElfImage::open(write("a", kId, true)).value()));
  EXPECT_FALSE(has_debug_info(ElfImage::open(write("b", kId, false)).value()));
}

TEST_F(DebugFileTest, SaysHowToGetDebugInformation) {
  std::string binary = write("app", kId, false);
  ElfImage image = ElfImage::open(binary).value();
  EXPECT_EQ(DebugInfo::open(image, 1).error().message,
            binary +
                ": has no debug information; build with -gline-tables-only "
                "-fdebug-info-for-profiling, or name the debug file with \xFF{debug-file}");
}

}  // namespace
}  // namespace pgo::debug_file_test
