// Below a /proc made by hand.
#include "pgo/capture/process_binaries.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <iterator>

#include "tests/data/temporary_files.h"

namespace pgo::process_binaries_test {
namespace {

constexpr const char* kMaps =
    "55d0c0000000-55d0c0001000 r--p 00000000 08:01 11    /usr/bin/queryd\n"
    "55d0c0001000-55d0c0002000 r-xp 00001000 08:01 11    /usr/bin/queryd (deleted)\n"
    "7f0000000000-7f0000001000 r-xp 00000000 08:01 12    /usr/lib/with space.so\n"
    "7f0000001000-7f0000002000 rw-p 00000000 00:00 0 \n"
    "7f0000002000-7f0000003000 r-xp 00000000 00:00 0 \n"
    "7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0     [vdso]\n";

class ProcessBinariesTest : public test::TemporaryFiles {
 protected:
  std::string contents(const ProcessBinaries& binaries, const std::string& name) const {
    std::string text;
    for (const HeldBinary& one : binaries.find(name)) {
      std::ifstream file(one.readable);
      text += "[" + std::string(std::istreambuf_iterator<char>(file), {}) + "]";
    }
    return text;
  }
};

TEST_F(ProcessBinariesTest, MappingsWithCodeOfFilesCount) {
  EXPECT_EQ(parse_mappings(kMaps),
            (std::vector<FileMapping>{
                {"55d0c0001000-55d0c0002000", "08:01 11", "/usr/bin/queryd", true},
                {"7f0000000000-7f0000001000", "08:01 12", "/usr/lib/with space.so"}}));
  for (const char* damaged : {"", "\n\n", "a", "a r-xp", "a r-xp 0 0 0", "a x 0 0 0 /b"})
    EXPECT_TRUE(parse_mappings(damaged).empty()) << damaged;
}

TEST_F(ProcessBinariesTest, OpensWhatTheProcessSees) {
  write("proc/7/maps", kMaps);
  write("proc/7/root/usr/bin/queryd", "new");
  write("proc/7/root/usr/lib/with space.so", "library");
  write("old", "old");
  // The file was replaced; the process still runs the old one.
  std::filesystem::create_symlink("/usr/bin/queryd (deleted)", path("proc/7/exe"));
  write("proc/8/maps",
        "1-2 r-xp 0 08:01 99 /usr/bin/queryd\n3-4 r-xp 0 08:01 12 /usr/lib/with space.so\n");
  write("proc/8/map_files/1-2", "very file");
  write("proc/8/root/usr/bin/queryd", "another one");
  const ProcessBinaries binaries = ProcessBinaries::open({{7, 0, 0}, {8, 0, 0}}, path("proc"));
  // Of what was deleted, the file at its path may be another one.
  EXPECT_EQ(contents(binaries, "/usr/bin/queryd"), "[very file][new]");
  EXPECT_EQ(contents(binaries, "/usr/bin/queryd (deleted)"), "[new][very file]");
  EXPECT_FALSE(binaries.find("/usr/bin/queryd (deleted)").at(0).is_certain);
  EXPECT_TRUE(binaries.find("/usr/bin/queryd").at(0).is_certain);
  EXPECT_EQ(contents(binaries, "/usr/lib/with space.so"), "[library]");
  EXPECT_EQ(contents(binaries, "[vdso]"), "");
}

TEST_F(ProcessBinariesTest, FilesStayReadableWhenTheProcessHasEnded) {
  write("proc/7/maps", kMaps);
  write("proc/7/root/usr/bin/queryd", "program");
  const ProcessBinaries binaries = ProcessBinaries::open({{7, 0, 0}, {9, 0, 0}}, path("proc"));
  std::filesystem::remove_all(path("proc"));
  EXPECT_EQ(contents(binaries, "/usr/bin/queryd"), "[program]");
}

// A process may replace what it has mapped: opening a pipe would wait for ever.
TEST_F(ProcessBinariesTest, OpensRegularFilesOnly) {
  write("proc/7/maps", "1-2 r-xp 0 08:01 11 /tmp/pipe\n3-4 r-xp 0 08:01 12 /tmp/zero\n");
  std::filesystem::create_directories(path("proc/7/root/tmp"));
  ASSERT_EQ(::mkfifo(path("proc/7/root/tmp/pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", path("proc/7/root/tmp/zero"));
  EXPECT_TRUE(ProcessBinaries::open({{7, 0, 0}}, path("proc")).empty());
}

// The first process may be in a chroot, where the path leads nowhere.
TEST_F(ProcessBinariesTest, AFileThatOneProcessCannotShowIsOpenedThroughAnother) {
  write("proc/7/maps", "1-2 r-xp 0 08:01 11 /usr/lib/libq.so\n");
  write("proc/8/maps", "1-2 r-xp 0 08:01 11 /usr/lib/libq.so\n");
  write("proc/8/root/usr/lib/libq.so", "library");
  const ProcessBinaries binaries = ProcessBinaries::open({{7, 0, 0}, {8, 0, 0}}, path("proc"));
  EXPECT_EQ(contents(binaries, "/usr/lib/libq.so"), "[library]");
}

}  // namespace
}  // namespace pgo::process_binaries_test
