#include "converters/perf_data/address_space.h"

#include <gtest/gtest.h>

#include "tests/data/elf_builder.h"
#include "tests/data/tiny_program.h"

namespace pgo::test::address_space_test {
namespace {

using perf_data::AddressSpaces;
using perf_data::MapPiece;
using perf_data::Moment;
using perf_data::Recording;

constexpr uint64_t kMap = 0x400000, kOther = 0x7f0000000000;

const TinyProgram& program() {
  static const TinyProgram tiny;
  return tiny;
}

PerfDataBuilder builder() {
  PerfDataBuilder perf;
  perf.event(branch_event());
  return perf;
}

// Where addresses lead in the spaces of a recording.
class Spaces {
 public:
  explicit Spaces(const PerfDataBuilder& perf,
                  std::vector<const ElfImage*> images = {&program().image()})
      : bytes_(perf.file()),
        recording_(perf_data::scan_recording(bytes_, "perf.data", {}).value()),
        spaces_(recording_, images) {}

  // "1200" in a binary ("1:1200" in the second), or the name of what else is there.
  std::string at(uint32_t pid, uint64_t time, uint64_t addr) const {
    const MapPiece* piece =
        spaces_.maps().find(spaces_.state(pid, Moment{time, ~0ull}), RuntimeAddr{addr});
    if (piece == nullptr) return "-";
    if (piece->binary == MapPiece::kNoBinary) return std::string(dropped_name(piece->outside));
    char text[40];
    std::snprintf(text, sizeof text, "%s%llx", piece->binary == 0 ? "" : "1:",
                  static_cast<unsigned long long>(
                      (piece->elf_begin + (RuntimeAddr{addr} - piece->begin)).value));
    return text;
  }
  const std::vector<perf_data::BinaryMatch>& matches() const { return spaces_.matches(); }
  // The first message about files that could be any of several binaries, or "".
  std::string ambiguity() const {
    const auto& entries = spaces_.diagnostics().entries();
    auto found = entries.find("ambiguous-name");
    return found == entries.end() ? "" : found->second.messages[0];
  }

 private:
  ByteVector bytes_;
  Recording recording_;
  AddressSpaces spaces_;
};

TEST(AddressSpaces, LeadThroughTheFileToTheElf) {
  Spaces spaces(builder().mmap2(program().map(10, kMap)));
  EXPECT_EQ(spaces.at(10, 0, at(kMap, 0x1200)), "1200");
  EXPECT_EQ(spaces.at(10, 0, at(kMap, 0x12ff)), "12ff");
  EXPECT_EQ(spaces.at(10, 0, kMap), "not-code") << "before the segment";
  EXPECT_EQ(spaces.at(10, 0, at(kMap, 0x1300)), "not-code") << "behind the segment";
  EXPECT_EQ(spaces.at(10, 0, kMap - 1), "-");
  EXPECT_EQ(spaces.at(10, 0, kMap + 0x1000), "-");
  EXPECT_EQ(spaces.at(11, 0, at(kMap, 0x1200)), "-") << "another process";
}

TEST(AddressSpaces, KeepEachProcessApart) {
  Spaces spaces(builder()
                    .mmap2(program().map(10, kMap))
                    .mmap2(program().map(11, kOther))
                    .mmap2(program().map(10, kOther + 0x1000000)));
  EXPECT_EQ(spaces.at(10, 0, at(kMap, 0x1204)), "1204");
  EXPECT_EQ(spaces.at(11, 0, at(kMap, 0x1204)), "-");
  EXPECT_EQ(spaces.at(11, 0, at(kOther, 0x1204)), "1204");
  EXPECT_EQ(spaces.at(10, 0, at(kOther + 0x1000000, 0x1204)), "1204") << "two maps in one";
}

TEST(AddressSpaces, ChangeWithTime) {
  Spaces spaces(builder()
                    .mmap2(program().map(10, kMap, 100))
                    .mmap2({.pid = 10, .time = 200, .addr = kMap, .len = 0x250, .path = "/lib/o"})
                    .mmap2(program().map(10, kMap, 300)));
  uint64_t low = at(kMap, 0x1204), high = at(kMap, 0x1260);
  EXPECT_EQ(spaces.at(10, 99, low), "-");
  EXPECT_EQ(spaces.at(10, 100, low), "1204");
  EXPECT_EQ(spaces.at(10, 250, low), "other-binary");
  EXPECT_EQ(spaces.at(10, 250, high), "1260") << "what was not covered stays";
  EXPECT_EQ(spaces.at(10, 300, low), "1204");
}

TEST(AddressSpaces, GiveForkedChildrenTheirParentsMaps) {
  Spaces spaces(builder()
                    .mmap2(program().map(10, kMap, 1))
                    .fork({.pid = 11, .parent = 10, .time = 2})
                    .mmap2({.pid = 10, .time = 3, .addr = kMap, .len = 0x1000, .path = "/lib/o"})
                    .fork({.pid = 12, .parent = 11, .time = 4})
                    .fork({.pid = 13, .parent = 99, .time = 5}));
  EXPECT_EQ(spaces.at(11, 1, at(kMap, 0x1204)), "-");
  EXPECT_EQ(spaces.at(11, 2, at(kMap, 0x1204)), "1204");
  EXPECT_EQ(spaces.at(10, 3, at(kMap, 0x1204)), "other-binary");
  EXPECT_EQ(spaces.at(11, 3, at(kMap, 0x1204)), "1204") << "the parent's later maps are its own";
  EXPECT_EQ(spaces.at(12, 4, at(kMap, 0x1204)), "1204");
  EXPECT_EQ(spaces.at(13, 5, at(kMap, 0x1204)), "-");
}

TEST(AddressSpaces, LeaveNewThreadsInTheirProcess) {
  Spaces spaces(builder()
                    .fork({.pid = 10, .parent = 10, .tid = 11, .parent_tid = 10, .time = 1})
                    .mmap2(program().map(10, kMap, 2))
                    .fork({.pid = 10, .parent = 10, .tid = 12, .parent_tid = 10, .time = 3}));
  EXPECT_EQ(spaces.at(10, 3, at(kMap, 0x1204)), "1204");
}

// When it begins, perf writes a FORK for each process that runs already, and then its maps.
TEST(AddressSpaces, LetRunningProcessesBeginWithoutMaps) {
  ByteVector fork = words({10ull << 32 | 11, 10ull << 32 | 11, 0});
  put_bytes(fork, words({11ull << 32 | 11, 2, 77}));
  Spaces spaces(builder()
                    .mmap2(program().map(10, kMap, 1))
                    .record(PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, fork)
                    .mmap2(program().map(11, kOther, 3)));
  EXPECT_EQ(spaces.at(11, 3, at(kMap, 0x1204)), "-");
  EXPECT_EQ(spaces.at(11, 3, at(kOther, 0x1204)), "1204");
}

TEST(AddressSpaces, ForgetMapsAtAnExec) {
  Spaces spaces(builder()
                    .mmap2(program().map(10, kMap, 1))
                    .comm({.pid = 10, .time = 2, .name = "renamed"})
                    .comm({.pid = 10, .time = 3, .name = "sh", .misc = PERF_RECORD_MISC_COMM_EXEC})
                    .mmap2(program().map(10, kOther, 4)));
  EXPECT_EQ(spaces.at(10, 2, at(kMap, 0x1204)), "1204");
  EXPECT_EQ(spaces.at(10, 3, at(kMap, 0x1204)), "-");
  EXPECT_EQ(spaces.at(10, 4, at(kOther, 0x1204)), "1204");
}

// However many mappings there are, one more costs no more: 4 000 of a binary below 4 000 anonymous
// ones.
TEST(AddressSpaces, CostNothingForMoreAnonymousMemory) {
  PerfDataBuilder many = builder();
  for (uint64_t i = 0; i < 4000; i++) many.mmap2(program().map(10, kMap + i * 0x10000, 1));
  for (uint64_t i = 0; i < 4000; i++)
    many.mmap2({.pid = 10, .time = 2, .addr = kMap, .len = 4000 * 0x10000, .path = "//anon"});
  Spaces spaces(many);
  EXPECT_EQ(spaces.at(10, 2, at(kMap + 3999 * 0x10000, 0x1204)), "1204");
}

// Text that a program copies to huge pages is anonymous, and still its text.
TEST(AddressSpaces, KeepTextUnderAnonymousMemory) {
  Spaces spaces(
      builder()
          .mmap2(program().map(10, kMap, 1))
          .mmap2({.pid = 10, .time = 2, .addr = kMap - 0x1000, .len = 0x1250, .path = "//anon"}));
  EXPECT_EQ(spaces.at(10, 2, kMap - 1), "-") << "the mapping changes nothing at all";
  EXPECT_EQ(spaces.at(10, 2, kMap), "not-code");
  EXPECT_EQ(spaces.at(10, 2, at(kMap, 0x1200)), "1200");
  EXPECT_EQ(spaces.at(10, 2, at(kMap, 0x1250)), "1250") << "where the anonymous memory ends";
  EXPECT_EQ(spaces.at(10, 2, at(kMap, 0x12ff)), "12ff");
  EXPECT_EQ(spaces.at(10, 2, at(kMap, 0x1300)), "not-code");
}

TEST(AddressSpaces, ReadDeletedAndReadOnlyMaps) {
  Mmap2 deleted = program().map(10, kMap), read_only = program().map(11, kMap);
  deleted.path = "/bin/tiny (deleted)";
  deleted.build_id = "";
  read_only.prot = 1;
  Spaces spaces(builder().mmap2(deleted).mmap2(read_only));
  EXPECT_EQ(spaces.at(10, 0, at(kMap, 0x1204)), "1204");
  EXPECT_EQ(spaces.at(11, 0, at(kMap, 0x1204)), "1204");
}

// A mapping of a part of the file, from its second page on, of two segments.
TEST(AddressSpaces, MapEachExecutableSegment) {
  ElfBuilder elf;
  elf.add_segment(PT_LOAD, PF_R, 0, 0x1000, 0);
  elf.add_segment(PT_LOAD, PF_R | PF_X, 0x1400, 0x800, 0x2400);
  elf.add_segment(PT_LOAD, PF_R | PF_X, 0x2400, 0x400, 0x9400);
  std::vector<uint8_t> bytes = elf.finish();
  ElfImage image = ElfImage::parse(bytes, "/bin/two").value();
  Spaces spaces(
      builder()
          .mmap2({.pid = 1, .addr = 0x10000, .len = 0x3000, .path = "/bin/two"})
          .mmap2({.pid = 2, .addr = 0x10000, .len = 0x1000, .pgoff = 0x1000, .path = "/x/two"})
          .mmap2({.pid = 2, .addr = 0x80000, .len = 0x1000, .pgoff = 0x2000, .path = "/x/two"}),
      {&image});
  EXPECT_EQ(spaces.at(1, 0, 0x11400), "2400");
  EXPECT_EQ(spaces.at(1, 0, 0x11bff), "2bff");
  EXPECT_EQ(spaces.at(1, 0, 0x11c00), "not-code");
  EXPECT_EQ(spaces.at(1, 0, 0x12400), "9400");
  EXPECT_EQ(spaces.at(2, 0, 0x10400), "2400");
  EXPECT_EQ(spaces.at(2, 0, 0x80400), "9400");
  EXPECT_EQ(spaces.at(2, 0, 0x80800), "not-code");
}

// No position-independent code: an ET_EXEC is where its headers say.
TEST(AddressSpaces, ReadFixedAddresses) {
  ElfBuilder elf;
  elf.header.e_type = ET_EXEC;
  elf.add_segment(PT_LOAD, PF_R | PF_X, 0x1000, 0x500, 0x401000);
  std::vector<uint8_t> bytes = elf.finish();
  ElfImage image = ElfImage::parse(bytes, "/bin/fixed").value();
  Spaces spaces(
      builder().mmap2(
          {.pid = 1, .addr = 0x401000, .len = 0x1000, .pgoff = 0x1000, .path = "/bin/fixed"}),
      {&image});
  EXPECT_EQ(spaces.at(1, 0, 0x401000), "401000");
  EXPECT_EQ(spaces.at(1, 0, 0x4014ff), "4014ff");
  EXPECT_EQ(spaces.at(1, 0, 0x401500), "not-code");
}

TEST(AddressSpaces, MatchBinariesByBuildId) {
  Mmap2 renamed = program().map(1, kMap), short_id = program().map(2, kMap),
        other_build = program().map(3, kMap);
  renamed.path = "/elsewhere/server";
  short_id.build_id = "0102030405060708";
  other_build.build_id = "0102030405060709";
  Spaces spaces(builder().mmap2(renamed).mmap2(short_id).mmap2(other_build));
  EXPECT_EQ(spaces.at(1, 0, at(kMap, 0x1204)), "1204");
  EXPECT_EQ(spaces.at(2, 0, at(kMap, 0x1204)), "1204") << "8 bytes of the 20";
  EXPECT_EQ(spaces.at(3, 0, at(kMap, 0x1204)), "build-id-mismatch");
  EXPECT_TRUE(spaces.matches()[0].by_build_id);
  EXPECT_FALSE(spaces.matches()[0].by_name);
}

TEST(AddressSpaces, TakeBuildIdsFromTheFeature) {
  Mmap2 by_inode = program().map(1, kMap), other = program().map(2, kMap);
  by_inode.build_id = other.build_id = "";
  by_inode.path = "/srv/a";
  other.path = "/srv/tiny";
  Spaces spaces(
      builder()
          .mmap2(by_inode)
          .mmap2(other)
          .build_id({.id = "0102030405060708090a0b0c0d0e0f1011121314", .path = "/srv/a"})
          .build_id({.id = "ff02030405060708090a0b0c0d0e0f1011121314", .path = "/srv/tiny"}));
  EXPECT_EQ(spaces.at(1, 0, at(kMap, 0x1204)), "1204");
  EXPECT_EQ(spaces.at(2, 0, at(kMap, 0x1204)), "build-id-mismatch");
}

TEST(AddressSpaces, MatchByNameOnlyWithoutBuildIds) {
  Mmap2 map = program().map(1, kMap);
  map.build_id = "";
  map.path = "/other/place/tiny";
  Spaces with_id(builder().mmap2(map));
  EXPECT_EQ(with_id.at(1, 0, at(kMap, 0x1204)), "1204");
  EXPECT_TRUE(with_id.matches()[0].by_name);
  EXPECT_FALSE(with_id.matches()[0].by_build_id);

  TinyProgram anonymous("/bin/tiny", "");
  Spaces without_id(builder().mmap2(program().map(1, kMap)), {&anonymous.image()});
  EXPECT_EQ(without_id.at(1, 0, at(kMap, 0x1204)), "1204");
}

TEST(AddressSpaces, TellTwoBinariesOfOneNameApart) {
  TinyProgram first("/a/tiny", "1111111111111111"), second("/b/tiny", "2222222222222222");
  Spaces spaces(builder().mmap2(second.map(1, kMap)).mmap2(first.map(2, kMap)),
                {&first.image(), &second.image()});
  EXPECT_EQ(spaces.at(1, 0, at(kMap, 0x1204)), "1:1204");
  EXPECT_EQ(spaces.at(2, 0, at(kMap, 0x1204)), "1204");
}

// In whatever order the binaries are named.
TEST(AddressSpaces, MatchNoNameWhereABuildIdMatches) {
  TinyProgram with_id("/a/tiny", "1111111111111111"), without_id("/b/tiny", "");
  Spaces one(builder().mmap2(with_id.map(1, kMap)), {&with_id.image(), &without_id.image()});
  EXPECT_EQ(one.at(1, 0, at(kMap, 0x1204)), "1204");
  Spaces other(builder().mmap2(with_id.map(1, kMap)), {&without_id.image(), &with_id.image()});
  EXPECT_EQ(other.at(1, 0, at(kMap, 0x1204)), "1:1204");
  EXPECT_FALSE(other.matches()[0].by_name);
  EXPECT_TRUE(other.matches()[1].by_build_id);
}

TEST(AddressSpaces, MatchNoNameThatSeveralBinariesHave) {
  TinyProgram first("/a/tiny", "1111111111111111"), second("/b/tiny", "2222222222222222"),
      third("/c/tiny", ""), fourth("/d/tiny", "");
  Mmap2 map = first.map(1, kMap);
  map.build_id = "";
  Spaces no_id(builder().mmap2(map), {&first.image(), &second.image(), &third.image()});
  EXPECT_EQ(no_id.at(1, 0, at(kMap, 0x1204)), "ambiguous-name");
  EXPECT_EQ(no_id.ambiguity(),
            "perf.data: /a/tiny could be /a/tiny, /b/tiny or /c/tiny, and its build ID is unknown; "
            "its samples are not used. Name the one that ran");

  map.build_id = "3333333333333333";
  Spaces other_id(builder().mmap2(map), {&first.image(), &third.image(), &fourth.image()});
  EXPECT_EQ(other_id.at(1, 0, at(kMap, 0x1204)), "ambiguous-name");
  EXPECT_EQ(other_id.ambiguity(),
            "perf.data: /a/tiny could be /c/tiny or /d/tiny, and these have no build IDs; its "
            "samples are not used. Name the one that ran");

  // Of two, another build ID rules one out.
  Spaces ruled_out(builder().mmap2(map), {&first.image(), &third.image()});
  EXPECT_EQ(ruled_out.at(1, 0, at(kMap, 0x1204)), "1:1204");
  EXPECT_EQ(ruled_out.ambiguity(), "");
}

TEST(AddressSpaces, NameWhatElseIsMapped) {
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"[vdso]", "vdso"},
      {"[vsyscall]", "vdso"},
      {"[heap]", "anonymous"},
      {"[stack]", "anonymous"},
      {"//anon", "anonymous"},
      {"", "anonymous"},
      {"/memfd:jit (deleted)", "anonymous"},
      {"/dev/zero (deleted)", "anonymous"},
      {"anon_inode:[perf]", "anonymous"},
      {"/SYSV00000000 (deleted)", "anonymous"},
      {"[kernel.kallsyms]_text", "kernel"},
      {"/usr/lib/libc.so.6", "other-binary"},
      {"/tmp/perf-1234.map", "other-binary"}};
  PerfDataBuilder perf = builder();
  uint64_t addr = 0x10000;
  for (const auto& kind : kinds)
    perf.mmap2({.pid = 1, .addr = addr += 0x1000, .len = 0x1000, .path = kind.first});
  Spaces spaces(perf);
  addr = 0x10000;
  for (const auto& kind : kinds)
    EXPECT_EQ(spaces.at(1, 0, addr += 0x1000), kind.second) << kind.first;
}

// llvm-profgen's reading: one base for all, and its errors word for word.
class AsLlvmProfgen : public testing::Test {
 protected:
  std::string at_of(const PerfDataBuilder& perf, uint32_t pid, uint64_t time, uint64_t addr,
                    const std::vector<uint32_t>& pids = {}) {
    ByteVector bytes = perf.file();
    Recording recording = perf_data::scan_recording(bytes, "perf.data", {}).value();
    auto spaces = AddressSpaces::as_llvm_profgen(recording, program().image(), pids);
    if (!spaces) return spaces.error().message;
    const MapPiece* piece =
        spaces->maps().find(spaces->state(pid, Moment{time, ~0ull}), RuntimeAddr{addr});
    return piece == nullptr
               ? "-"
               : std::to_string((piece->elf_begin + (RuntimeAddr{addr} - piece->begin)).value);
  }
  const std::string k1204 = std::to_string(0x1204);
};

TEST_F(AsLlvmProfgen, TakesTheLastMapForAllProcesses) {
  PerfDataBuilder perf = builder();
  perf.mmap2(program().map(10, kMap, 1)).mmap2(program().map(11, kOther, 2));
  EXPECT_EQ(at_of(perf, 10, 1, at(kMap, 0x1204)), k1204);
  EXPECT_EQ(at_of(perf, 10, 2, at(kMap, 0x1204)), "-");
  EXPECT_EQ(at_of(perf, 10, 2, at(kOther, 0x1204)), k1204);
  EXPECT_EQ(at_of(perf, 11, 2, at(kOther, 0x1204)), k1204);
  EXPECT_EQ(at_of(perf, 10, 2, at(kMap, 0x1204), {10}), k1204) << "--pid leaves the others out";
}

TEST_F(AsLlvmProfgen, CountsOnlyProcessesWithAMapOfTheirOwn) {
  PerfDataBuilder perf = builder();
  perf.mmap2(program().map(10, kMap, 1)).fork({.pid = 11, .parent = 10, .time = 2});
  EXPECT_EQ(at_of(perf, 11, 3, at(kMap, 0x1204)), "-");
}

// Before any map the binary is where its headers say.
TEST_F(AsLlvmProfgen, BeginsAtThePreferredAddress) {
  PerfDataBuilder perf = builder();
  perf.mmap2(program().map(10, kMap, 5));
  EXPECT_EQ(at_of(perf, 10, 1, 0x1204), k1204);
  EXPECT_EQ(at_of(perf, 10, 1, at(kMap, 0x1204)), "-");
}

TEST_F(AsLlvmProfgen, IgnoresBuildIds) {
  Mmap2 map = program().map(10, kMap, 1);
  map.build_id = "ffffffffffffffff";
  EXPECT_EQ(at_of(builder().mmap2(map), 10, 2, at(kMap, 0x1204)), k1204);
}

TEST_F(AsLlvmProfgen, StopsWhereLlvmProfgenDoes) {
  constexpr char kAdvice[] = "; convert without \xFF{compat}";
  EXPECT_EQ(at_of(builder(), 1, 1, 0),
            std::string("perf.data: llvm-profgen stops with \"No relevant mmap event is found in "
                        "perf data.\"") +
                kAdvice);
  PerfDataBuilder deleted = builder();
  Mmap2 map = program().map(10, kMap, 1);
  map.path += " (deleted)";
  EXPECT_EQ(at_of(deleted.mmap2(map), 1, 1, 0),
            std::string("perf.data: llvm-profgen stops with \"No relevant mmap event is found in "
                        "perf data.\"") +
                kAdvice);
  PerfDataBuilder part = builder();
  map = program().map(10, kOther, 2);
  map.pgoff = 0x1000;
  part.mmap2(program().map(10, kMap, 1)).mmap2(map);
  EXPECT_EQ(at_of(part, 1, 1, 0),
            std::string("perf.data: llvm-profgen stops with \"Segment not loaded by consecutive "
                        "mmaps\"") +
                kAdvice);
  // A piece of the file where the base puts it is no trouble.
  PerfDataBuilder pieces = builder();
  map = program().map(10, kMap + 0x1000, 2);
  map.pgoff = 0x1000;
  pieces.mmap2(program().map(10, kMap, 1)).mmap2(map);
  EXPECT_EQ(at_of(pieces, 10, 2, at(kMap, 0x1204)), k1204);
}

}  // namespace
}  // namespace pgo::test::address_space_test
