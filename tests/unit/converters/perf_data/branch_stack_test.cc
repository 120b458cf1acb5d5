// One hand-made stack at a time. Entries are written newest first, as perf writes them; so in
// {{F2, T2}, {F1, T1}} the branch F1 -> T1 came first and code ran from T1 to F2.
//
// Addresses of the program (see tiny_program.h) are written as ElfAddrs through c().
#include "converters/perf_data/branch_stack.h"

#include <gtest/gtest.h>

#include "tests/data/tiny_program.h"

namespace pgo::test::branch_stack_test {
namespace {

constexpr uint64_t kMap = 0x400000, kOtherMap = 0x500000, kSecondMap = 0x600000;
constexpr uint64_t kKernel = 0xffffffff81000000u, kNowhere = 0x10000, kLib = kOtherMap + 0x10;
constexpr uint64_t c(uint64_t elf) { return at(kMap, elf); }
constexpr uint64_t d(uint64_t elf) { return at(kSecondMap, elf); }

const TinyProgram& program() {
  static const TinyProgram tiny;
  return tiny;
}
const TinyProgram& second_program() {
  static const TinyProgram tiny("/lib/second.so", "99aabbccddeeff00");
  return tiny;
}

PerfDataBuilder recording_of(const std::vector<Branch>& branches) {
  PerfDataBuilder perf;
  perf.event(branch_event())
      .mmap2(program().map(10, kMap))
      .mmap2({.pid = 10, .addr = kOtherMap, .len = 0x1000, .path = "/lib/other.so"})
      .mmap2(second_program().map(10, kSecondMap))
      .sample({.pid = 10, .ip = c(0x1200), .branches = branches});
  return perf;
}

std::string read(const std::vector<Branch>& branches) {
  return read_counts(recording_of(branches).file(), {&program()});
}

TEST(BranchStackReader, ReadsAnEntryWithTheNewerOnesSource) {
  EXPECT_EQ(read({{c(0x1210), c(0x1240)}, {c(0x1230), c(0x1204)}, {c(0x1220), c(0x1228)}}),
            "  trace 1210 1240 - 1\n"     // the newest: nothing is known of what follows
            "  trace 1220 1228 1230 1\n"  // and from 1228 straight to 1230
            "  trace 1230 1204 1210 1\n"
            "samples seen 1 used 1\n"
            "branches seen 3 used 3\n");
}

TEST(BranchStackReader, CountsMispredictions) {
  EXPECT_EQ(read({{c(0x1210), c(0x1240), kMispredicted},
                  {c(0x1230), c(0x1204), kPredicted},
                  {c(0x1210), c(0x1240), kMispredicted}}),
            "  trace 1210 1240 1230 1\n"
            "  trace 1210 1240 - 1\n"
            "  trace 1230 1204 1210 1\n"
            "  mispredict 1210 1240 2\n"
            "samples seen 1 used 1\n"
            "branches seen 3 used 3\n");
}

// Entry 2 calls into the library, entry 1 is the library's own, entry 0 returns from it.
TEST(BranchStackReader, LeavesTheBinaryAndComesBack) {
  EXPECT_EQ(read({{kLib, c(0x1214)}, {kLib, kLib + 4}, {c(0x1210), kLib}, {c(0x1230), c(0x1200)}}),
            "  trace 1210 - - 1\n"
            "  trace 1230 1200 1210 1\n"
            "  trace - 1214 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 4 used 3 other-binary 1\n");
}

// LLVM's tools drop an entry outside the code altogether, so that the entries around it become
// neighbours; BOLT's keep it, and see that the code did not run on to the newer entry's source.
TEST(BranchStackReader, PartsReadingsAtAnEntryOutside) {
  EXPECT_EQ(read({{c(0x1220), c(0x1240)}, {kLib, kLib + 4}, {c(0x1230), c(0x1200)}}),
            "  trace 1220 1240 - 1\n"
            "  trace 1230 1200 1220 1 llvm\n"
            "  trace 1230 1200 - 1 bolt\n"
            "samples seen 1 used 1\n"
            "branches seen 3 used 2 other-binary 1\n");
}

// BOLT's reading removes what touches the kernel; here nothing is left for it to find in between.
TEST(BranchStackReader, ClosesRangesOverKernelEntries) {
  EXPECT_EQ(read({{c(0x1220), c(0x1240)}, {kKernel, kKernel + 8}, {c(0x1230), c(0x1200)}}),
            "  trace 1220 1240 - 1\n"
            "  trace 1230 1200 1220 1\n"
            "samples seen 1 used 1\n"
            "branches seen 3 used 2 kernel 1\n");
}

// An interrupt at 1208: into the kernel, and back from it. For LLVM the entry into the kernel ends
// the range and the one out of it begins another; for BOLT neither is there.
TEST(BranchStackReader, PartsReadingsAtAnInterrupt) {
  EXPECT_EQ(read({{c(0x1220), c(0x1240)},
                  {kKernel, c(0x1208)},
                  {kKernel, kKernel + 8},
                  {c(0x1208), kKernel},
                  {c(0x1230), c(0x1200)}}),
            "  trace 1220 1240 - 1\n"
            "  trace 1230 1200 1208 1 llvm\n"
            "  trace 1230 1200 1220 1 bolt\n"
            "  trace - 1208 1220 1 llvm\n"
            "samples seen 1 used 1\n"
            "branches seen 5 used 4 kernel 1\n");
}

// Both of the last two: a kernel entry and one outside, in either order.
TEST(BranchStackReader, PartsReadingsAtKernelAndOutside) {
  for (bool kernel_first : {false, true}) {
    Branch kernel{kKernel, kKernel + 8}, outside{kLib, kLib + 4};
    EXPECT_EQ(read({{c(0x1220), c(0x1240)},
                    kernel_first ? kernel : outside,
                    kernel_first ? outside : kernel,
                    {c(0x1230), c(0x1200)}}),
              "  trace 1220 1240 - 1\n"
              "  trace 1230 1200 1220 1 llvm\n"
              "  trace 1230 1200 - 1 bolt\n"
              "samples seen 1 used 1\n"
              "branches seen 4 used 2 kernel 1 other-binary 1\n");
  }
}

// 12f0 is in the binary but no instruction: to LLVM that is as good as outside, to BOLT it is an
// address of the binary (it knows the PLT).
TEST(BranchStackReader, KeepsAddressesOfThePltForBolt) {
  EXPECT_EQ(read({{c(0x12f0), kLib}, {c(0x1210), c(0x12f0)}, {c(0x1230), c(0x1200)}}),
            "  trace 1210 12f0 12f0 1\n"
            "  trace 1230 1200 1210 1\n"
            "  trace 12f0 - - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 3 used 2 not-code 1\n");
}

// Between two entries in code: from the PLT to the library and on, all outside for LLVM.
TEST(BranchStackReader, PartsReadingsAtThePlt) {
  EXPECT_EQ(read({{c(0x1220), c(0x1240)}, {c(0x12f0), c(0x12f8)}, {c(0x1230), c(0x1200)}}),
            "  trace 1220 1240 - 1\n"
            "  trace 1230 1200 1220 1 llvm\n"
            "  trace 1230 1200 12f0 1 bolt\n"
            "  trace 12f0 12f8 1220 1\n"
            "samples seen 1 used 1\n"
            "branches seen 3 used 2 not-code 1\n");
}

TEST(BranchStackReader, TakesAddressesInsideInstructionsForNoCode) {
  EXPECT_EQ(read({{c(0x1220), c(0x1241)}, {c(0x1233), c(0x1200)}, {c(0x1232), c(0x1242)}}),
            "  trace 1220 1241 - 1\n"
            "  trace 1232 1242 1233 1\n"
            "  trace 1233 1200 1220 1\n"
            "samples seen 1 used 1\n"
            "branches seen 3 used 2 not-code 1\n");
}

// A run of entries in code, of which the newest and the oldest are next to irregular ones.
TEST(BranchStackReader, GoesOnAfterIrregularEntries) {
  EXPECT_EQ(read({{c(0x1220), kLib},
                  {c(0x1210), c(0x1218)},
                  {c(0x1208), c(0x120c)},
                  {kNowhere, c(0x1200)},
                  {kNowhere, kNowhere + 4},
                  {c(0x1224), c(0x1228)},
                  {c(0x1218), c(0x121c)}}),
            "  trace 1208 120c 1210 1\n"
            "  trace 1210 1218 1220 1\n"
            "  trace 1218 121c 1224 1\n"
            "  trace 1220 - - 1\n"
            "  trace 1224 1228 - 1\n"
            "  trace - 1200 1208 1\n"
            "samples seen 1 used 1\n"
            "branches seen 7 used 6 unmapped 1\n");
}

// Each of two binaries gets what concerns it; a branch between them concerns both.
TEST(BranchStackReader, TellsTwoBinariesApart) {
  PerfDataBuilder perf = recording_of({{d(0x1230), c(0x1214)},
                                       {d(0x1210), d(0x1228)},
                                       {c(0x1210), d(0x1200)},
                                       {c(0x1230), c(0x1200)}});
  EXPECT_EQ(read_dump(perf.file(), {&program(), &second_program()}),
            "event cycles period 1000 samples 1\n"
            "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
            "  trace 1210 - - 1\n"
            "  trace 1230 1200 1210 1\n"
            "  trace - 1214 - 1\n"
            "binary 99aabbccddeeff00 /lib/second.so\n"
            "  trace 1210 1228 1230 1\n"
            "  trace 1230 - - 1\n"
            "  trace - 1200 1210 1\n"
            "samples seen 1 used 1\n"
            "branches seen 4 used 4\n");
}

// Unused slots are not branches, wherever they stand.
TEST(BranchStackReader, DropsUnusedSlots) {
  EXPECT_EQ(read({{c(0x1220), c(0x1240)}, {c(0x1230), c(0x1200)}, {0, 0}, {0, 0}}),
            "  trace 1220 1240 - 1\n"
            "  trace 1230 1200 1220 1\n"
            "samples seen 1 used 1\n"
            "branches seen 4 used 2 empty-slot 2\n");
}

TEST(BranchStackReader, GivesTheReasonOfTheNewestEntryForAStackOfNoUse) {
  EXPECT_EQ(read({{kLib, kLib}, {kKernel, kKernel}, {0, 0}}),
            "samples seen 1 used 0 other-binary 1\n"
            "branches seen 3 used 0 empty-slot 1 kernel 1 other-binary 1\n");
  EXPECT_EQ(read({{0, 0}, {kKernel, kKernel}, {kLib, kLib}, {0, 0}}),
            "samples seen 1 used 0 kernel 1\n"
            "branches seen 4 used 0 empty-slot 2 kernel 1 other-binary 1\n");
  EXPECT_EQ(read({{0, 0}, {0, 0}}),
            "samples seen 1 used 0 no-branches 1\n"
            "branches seen 2 used 0 empty-slot 2\n");
  EXPECT_EQ(read({}), "samples seen 1 used 0 no-branches 1\nbranches seen 0 used 0\n");
}

// What a mapping claims about the kernel's half of the address space does not count, whatever was
// looked up before.
TEST(BranchStackReader, KnowsTheKernelByItsAddress) {
  for (const std::vector<Branch>& branches :
       {std::vector<Branch>{{0x700000, 0x700004}, {kKernel, kKernel}},
        std::vector<Branch>{{kKernel, kKernel}, {0x700000, 0x700004}}}) {
    PerfDataBuilder perf;
    perf.event(branch_event())
        .mmap2({.pid = 10, .addr = 0x700000, .len = ~0ull, .path = "/lib/huge.so"})
        .sample({.pid = 10, .branches = branches});
    std::string counts = read_counts(perf.file(), {&program()});
    EXPECT_NE(counts.find("branches seen 2 used 0 kernel 1 other-binary 1\n"), std::string::npos)
        << counts;
  }
}

// The longest stack that a record can hold, all of it irregular.
TEST(BranchStackReader, ReadsLongIrregularStacks) {
  std::vector<Branch> branches;
  for (size_t i = 0; i < 900; i++)
    for (Branch branch : {Branch{c(0x1230), c(0x1200)}, {kKernel, kKernel}, {kLib, kLib}})
      branches.push_back(branch);
  EXPECT_EQ(read(branches),
            "  trace 1230 1200 1230 899 llvm\n"
            "  trace 1230 1200 - 1\n"
            "  trace 1230 1200 - 899 bolt\n"
            "samples seen 1 used 1\n"
            "branches seen 2700 used 900 kernel 900 other-binary 900\n");
}

}  // namespace
}  // namespace pgo::test::branch_stack_test
