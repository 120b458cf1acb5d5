#include "converters/perf_data/stacks/code_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/data/tiny_program.h"

namespace pgo::test::code_places_test {
namespace {

using perf_data::CodeFile;
using perf_data::CodePiece;
using perf_data::CodePlace;
using perf_data::CodePlaces;
using perf_data::Moment;
using perf_data::Recording;

Recording scan(const std::vector<Mmap2>& maps) {
  static std::vector<ByteVector> kept;  // recordings own no bytes
  PerfDataBuilder perf;
  perf.event(branch_event()).finished_round();
  for (const Mmap2& map : maps) perf.mmap2(map);
  kept.push_back(perf.file());
  return perf_data::scan_recording(kept.back(), "perf.data", {}).value();
}

// Each piece as "PATH OFFSET-END at ADDRESS", sorted.
std::string pieces_of(const Recording& recording) {
  CodePlaces places(recording);
  std::vector<std::string> lines;
  for (const CodePiece& piece : places.pieces()) {
    std::ostringstream line;
    const CodeFile& file = places.files()[piece.file];
    line << file.path << (file.executable ? " " : " data ") << std::hex << piece.begin_offset.value
         << '-' << piece.end_offset.value << " at " << piece.begin.value << '\n';
    lines.push_back(line.str());
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

// Where an address of a process is in the end: "PATH+OFFSET", or the address.
std::string place_of(const Recording& recording, uint32_t pid, uint64_t address) {
  CodePlaces places(recording);
  CodePlace place = places.find(places.state(pid, Moment{~0ull, 0}), RuntimeAddr{address});
  std::ostringstream text;
  text << std::hex;
  std::optional<size_t> piece = places.piece_of(place);
  if (!piece) {
    text << place.at;
    return text.str();
  }
  const CodePiece& of = places.pieces()[*piece];
  EXPECT_EQ(of.address(place) - of.begin, place.at - of.begin_offset.value);
  text << places.files()[place.file].path << '+' << place.at;
  return text.str();
}

// The program, whole, as process `pid` has it.
Mmap2 whole(uint32_t pid, uint64_t addr) {
  return {.pid = pid, .addr = addr, .len = 0x4000, .pgoff = 0x1000, .path = "/bin/a"};
}

TEST(CodePlaces, AreTheSameInAllProcesses) {
  Recording recording = scan({whole(10, 0x555500001000), whole(11, 0x555400001000)});
  EXPECT_EQ(place_of(recording, 10, 0x555500001204), "/bin/a+1204");
  EXPECT_EQ(place_of(recording, 11, 0x555400001204), "/bin/a+1204");
  EXPECT_EQ(place_of(recording, 11, 0x555500001204), "555500001204");
  EXPECT_EQ(place_of(recording, 12, 0x555400001204), "555400001204");
  // The lowest address that a process has.
  EXPECT_EQ(pieces_of(recording), "/bin/a 1000-5000 at 555400001000\n");
}

TEST(CodePlaces, TellFilesApartByPathAndBuildId) {
  Mmap2 other_build = whole(11, 0x700000), other_path = whole(12, 0x800000);
  other_build.build_id = "0102030405060708";
  other_path.path = "/bin/b";
  Mmap2 data = whole(13, 0x900000);
  data.prot = 1;  // PROT_READ
  EXPECT_EQ(pieces_of(scan({whole(10, 0x600000), other_build, other_path, data})),
            "/bin/a 1000-5000 at 600000\n"
            "/bin/a 1000-5000 at 700000\n"
            "/bin/a data 1000-5000 at 900000\n"
            "/bin/b 1000-5000 at 800000\n");
}

// Processes that were seen after they had moved code to huge pages, or with two text segments.
TEST(CodePlaces, JoinPiecesThatTouchInTheFile) {
  Mmap2 first = whole(10, 0x600000), last = whole(10, 0x603000);
  first.len = 0x1000;
  last.len = 0x1000, last.pgoff = 0x4000;
  EXPECT_EQ(pieces_of(scan({first, last})),
            "/bin/a 1000-2000 at 600000\n"
            "/bin/a 4000-5000 at 603000\n");
  // Another process shows that it is one.
  EXPECT_EQ(pieces_of(scan({first, last, whole(11, 0x700000)})), "/bin/a 1000-5000 at 600000\n");
  Mmap2 middle = whole(11, 0x502000);
  middle.len = 0x2000, middle.pgoff = 0x2000;
  Recording joined = scan({first, last, middle});
  EXPECT_EQ(pieces_of(joined), "/bin/a 1000-5000 at 501000\n");
  EXPECT_EQ(place_of(joined, 11, 0x502010), "/bin/a+2010");
  EXPECT_EQ(place_of(joined, 10, 0x603010), "/bin/a+4010");

  // Two segments that are not as far from one another in the file as in memory.
  Mmap2 moved = whole(10, 0xa00000);
  moved.pgoff = 0x10000;
  EXPECT_EQ(pieces_of(scan({whole(10, 0x600000), moved})),
            "/bin/a 1000-5000 at 600000\n"
            "/bin/a 10000-14000 at a00000\n");
}

TEST(CodePlaces, KeepCodeThatWasMovedToHugePages) {
  Mmap2 huge{.pid = 10, .addr = 0x601000, .len = 0x1000, .pgoff = 0, .path = "//anon"};
  Recording recording = scan({whole(10, 0x600000), huge});
  EXPECT_EQ(place_of(recording, 10, 0x601010), "/bin/a+2010");
}

TEST(CodePlaces, KeepAddressesOfMemoryWithoutAFile) {
  std::vector<Mmap2> maps;
  uint64_t addr = 0x10000;
  for (const char* name : {"//anon", "[anon:v8]", "/memfd:jit (deleted)", "/tmp/perf-10.map",
                           "[heap]", "anon_inode:[perf_event]"})
    maps.push_back({.pid = 10, .addr = addr += 0x10000, .len = 0x1000, .pgoff = 7, .path = name});
  Recording recording = scan(maps);
  for (const Mmap2& map : maps) {
    std::ostringstream expected;
    expected << map.path << '+' << std::hex << map.addr + 0x10;
    EXPECT_EQ(place_of(recording, 10, map.addr + 0x10), expected.str());
  }
  EXPECT_NE(pieces_of(recording).find("//anon 20000-21000 at 20000\n"), std::string::npos);
}

TEST(CodePlaces, KnowProgramsThatRunFromMemory) {
  Recording recording = scan({{.pid = 10,
                               .addr = 0x20000,
                               .len = 0x1000,
                               .pgoff = 0x1000,
                               .path = "/memfd:sealed (deleted)",
                               .build_id = "0102030405060708"}});
  EXPECT_EQ(place_of(recording, 10, 0x20010), "/memfd:sealed (deleted)+1010");
}

TEST(CodePlaces, KnowTheKernelAndWhatItGivesToProcesses) {
  constexpr uint64_t kText = 0xffffffff81000000, kModule = 0xffffffffc0100000;
  std::vector<Mmap2> maps{
      {.pid = perf_data::kKernelPid,
       .addr = kText,
       .len = 0x1000000,
       .pgoff = kText,
       .path = "[kernel.kallsyms]_text"},
      {.pid = perf_data::kKernelPid,
       .addr = kModule,
       .len = 0x10000,
       .path = "/lib/modules/6.1/kernel/ext4.ko"},
      {.pid = perf_data::kKernelPid, .addr = kModule + 0x10000, .len = 0x10000, .path = "[veth]"},
      {.pid = 10, .addr = 0x7f0000, .len = 0x2000, .path = "[vdso]"},
      {.pid = 11, .addr = 0x7e0000, .len = 0x2000, .path = "[vdso]"},
      {.pid = 10, .addr = 0xffffffffff600000, .len = 0x1000, .path = "[vsyscall]"}};
  Recording recording = scan(maps);
  auto kernel = [&](uint64_t address) {
    return place_of(recording, perf_data::kKernelPid, address);
  };
  EXPECT_EQ(kernel(kText + 0x100), "[kernel.kallsyms]_text+ffffffff81000100");
  EXPECT_EQ(kernel(kModule + 0x20), "/lib/modules/6.1/kernel/ext4.ko+20");
  EXPECT_EQ(kernel(kModule + 0x10020), "[veth]+20");
  EXPECT_EQ(place_of(recording, 10, 0x7f0123), "[vdso]+123");
  EXPECT_EQ(place_of(recording, 11, 0x7e0123), "[vdso]+123");
  EXPECT_EQ(place_of(recording, 10, 0xffffffffff600400), "[vsyscall]+400");
  // A process cannot see the kernel's mappings.
  EXPECT_EQ(place_of(recording, 10, kText + 0x100), "ffffffff81000100");
}

TEST(CodePlaces, KnowPrograms) {
  PerfDataBuilder perf;
  perf.event(branch_event());
  auto map = [&](uint32_t pid, uint64_t time, const char* path) {
    perf.mmap2({.pid = pid, .time = time, .addr = time << 20, .len = 0x1000, .path = path});
  };
  map(10, 1, "/bin/a");
  map(10, 2, "/lib/l");
  perf.fork({.pid = 11, .parent = 10, .time = 3});
  map(11, 4, "/lib/loaded-later");
  perf.comm({.pid = 11, .time = 5, .name = "b", .misc = PERF_RECORD_MISC_COMM_EXEC});
  map(11, 6, "/bin/b");
  map(11, 7, "/lib/l");
  perf.mmap2({.pid = 12, .time = 8, .addr = 0x1000, .len = 0x1000, .path = "/data", .prot = 1});
  map(12, 9, "[vdso]");
  map(12, 10, "/bin/c");
  ByteVector bytes = perf.file();
  Recording recording = perf_data::scan_recording(bytes, "perf.data", {}).value();
  const CodePlaces places(recording);
  std::string programs;
  for (const CodeFile& file : places.files())
    if (file.is_program) programs += file.path + ' ';
  EXPECT_EQ(programs, "/bin/a /bin/b /bin/c ");
}

TEST(CodePlaces, DoNotDependOnTheOrderOfProcesses) {
  std::vector<Mmap2> maps;
  for (uint32_t pid = 1; pid <= 6; pid++) {
    Mmap2 part = whole(pid, 0x600000 + 0x10000 * pid);
    part.pgoff += 0x800 * pid;
    part.len = 0x700 + 0x200 * (pid % 3);
    maps.push_back(part);
    part.path = "/bin/b";
    part.addr += 0x1000000;
    maps.push_back(part);
  }
  std::string expected = pieces_of(scan(maps));
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 4);
  std::reverse(maps.begin(), maps.end());
  EXPECT_EQ(pieces_of(scan(maps)), expected);
  std::rotate(maps.begin(), maps.begin() + 5, maps.end());
  EXPECT_EQ(pieces_of(scan(maps)), expected);
}

// What no kernel writes: every address has a place, and each piece begins somewhere.
TEST(CodePlaces, BearMappingsThatMakeNoSense) {
  Recording recording = scan({
      {.pid = 10, .addr = 0, .len = 0x1000, .pgoff = 0, .path = "/at-zero"},
      {.pid = 10, .addr = 0x2000, .len = 0x1000, .pgoff = ~0ull - 0xfff, .path = "/end"},
      {.pid = 10, .addr = ~0ull - 0xfff, .len = ~0ull, .pgoff = 5, .path = "/huge"},
      {.pid = 10, .addr = 0x4000, .len = 0, .path = "/empty"},
      {.pid = 11, .addr = 0x10, .len = 0x1000, .pgoff = 0x100000, .path = "/low"},
      {.pid = 12, .addr = 0x20, .len = 0x200000, .pgoff = 0, .path = "/low"},
  });
  EXPECT_EQ(pieces_of(recording),
            "/at-zero 0-1000 at 1\n"
            "/end fffffffffffff000-ffffffffffffffff at 2000\n"
            "/huge 5-ffffffffffffffff at fffffffffffff000\n"
            "/low 0-200000 at 20\n");
  EXPECT_EQ(place_of(recording, 10, 0x10), "/at-zero+10");
  EXPECT_EQ(place_of(recording, 11, 0x20), "/low+100010");
  EXPECT_EQ(place_of(recording, 10, 0x4000), "4000");
}

}  // namespace
}  // namespace pgo::test::code_places_test
