#include "pgo/profile/code_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <tuple>

#include "tests/data/tiny_program.h"

namespace pgo {

// For gtest's messages.
inline void PrintTo(const Segment& s, std::ostream* out) {
  *out << std::hex << s.first.value << '-' << s.last.value << ':' << std::dec << s.count;
}
inline void PrintTo(const RangeCount& r, std::ostream* out) {
  *out << std::hex << r.first.value << '-' << r.last.value << ':' << std::dec << r.count;
}

}  // namespace pgo

namespace pgo::code_counts_test {
namespace {

constexpr OptElfAddr kOutside;

OptElfAddr to(uint64_t addr) { return ElfAddr{addr}; }
RangeCount range(uint64_t first, uint64_t last, uint64_t count = 0) {
  return {ElfAddr{first}, ElfAddr{last}, count};
}
Segment segment(uint64_t first, uint64_t last, uint64_t count) {
  return {ElfAddr{first}, ElfAddr{last}, count};
}

// Without the segments that hold no byte.
std::vector<Segment> segments_of(const std::vector<RangeCount>& ranges,
                                 const std::vector<RangeCount>& functions = {}) {
  std::vector<Segment> segments = find_segments(ranges, functions, 1);
  std::erase_if(segments, [](const Segment& s) { return s.last < s.first; });
  return segments;
}

CodeCounts count(std::vector<Trace> traces) {
  static const test::TinyProgram program;
  BinaryCounts counts;
  counts.traces = std::move(traces);
  return count_code(counts, program.code(), 1);
}

constexpr auto kBoth = TraceReading::kBoth, kLlvm = TraceReading::kLlvm,
               kBolt = TraceReading::kBolt;

TEST(CountCode, AddsUpRangesAndBranches) {
  CodeCounts counts = count({{to(0x1230), to(0x1200), to(0x1210), kBoth, 2},
                             {to(0x1250), to(0x1200), to(0x1210), kBoth, 3},
                             {to(0x1230), to(0x1200), to(0x1208), kBoth, 4},
                             {to(0x1230), to(0x1200), kOutside, kBoth, 5}});
  EXPECT_EQ(counts.ranges, (std::vector{range(0x1200, 0x1208, 4), range(0x1200, 0x1210, 5)}));
  EXPECT_EQ(counts.branches,
            (std::vector<BranchCount>{{to(0x1230), {0x1200}, 11}, {to(0x1250), {0x1200}, 3}}));
  EXPECT_EQ(counts.broken_ranges, 0u);
}

TEST(CountCode, ReadsAsLlvmDoes) {
  CodeCounts counts = count({{to(0x1230), to(0x1200), to(0x1210), kLlvm, 2},
                             {to(0x1230), to(0x1200), to(0x1208), kBolt, 3}});
  EXPECT_EQ(counts.ranges, (std::vector{range(0x1200, 0x1210, 2)}));
  EXPECT_EQ(counts.branches, (std::vector<BranchCount>{{to(0x1230), {0x1200}, 2}}));
}

// What is no instruction is outside: as a source it becomes nothing, as a target the branch is
// none, as the end of a range the range is none.
TEST(CountCode, TakesWhatIsNoInstructionForOutside) {
  CodeCounts counts = count({{to(0x12f0), to(0x1200), to(0x1210), kBoth, 1},
                             {kOutside, to(0x1200), to(0x12f4), kBoth, 2},
                             {to(0x1210), to(0x12f0), to(0x12f0), kBoth, 4},
                             {to(0x1210), to(0x1201), to(0x1210), kBoth, 8},
                             {to(0x1210), kOutside, kOutside, kBoth, 16}});
  EXPECT_EQ(counts.ranges, (std::vector{range(0x1200, 0x1210, 1)}));
  EXPECT_EQ(counts.branches, (std::vector<BranchCount>{{kOutside, {0x1200}, 3}}));
}

// 1210 calls, 1220 jumps, 1230 returns: a range may end there, but not go on.
TEST(CountCode, BreaksRangesThatCannotHaveRun) {
  CodeCounts counts = count({{to(0x1250), to(0x1200), to(0x1214), kBoth, 1},
                             {to(0x1250), to(0x1214), to(0x1220), kBoth, 2},
                             {to(0x1250), to(0x1214), to(0x1224), kBoth, 4},
                             {to(0x1250), to(0x1234), to(0x1240), kBoth, 8},
                             {to(0x1250), to(0x1230), to(0x1234), kBoth, 16},
                             {to(0x1250), to(0x1208), to(0x1204), kBoth, 32},
                             {to(0x1250), to(0x1230), to(0x1230), kBoth, 64}});
  EXPECT_EQ(counts.ranges, (std::vector{range(0x1214, 0x1220, 2), range(0x1230, 0x1230, 64),
                                        range(0x1234, 0x1240, 8)}));
  EXPECT_EQ(counts.broken_ranges, 1u + 4 + 16 + 32);
  EXPECT_EQ(counts.branches.size(), 5u) << "branches into broken ranges count all the same";
}

// Ranges that begin before, at and behind a barrier, and end there or later, against looking at
// each range by itself.
TEST(CountCode, AgreesWithLookingAtEachRangeByItself) {
  const test::TinyProgram program;
  std::mt19937 random(11);
  for (int round = 0; round < 200; round++) {
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> straight;
    std::vector<Trace> traces;
    uint64_t broken = 0;
    for (int i = 0; i < 30; i++) {
      uint64_t first = 0x1200 + 4 * (random() % 60), last = first + 4 * (random() % 12);
      if (last >= test::TinyProgram::kPlt) continue;
      traces.push_back({kOutside, to(first), to(last), kBoth, 1});
      if (program.code().find_barrier({first}, {last}))
        broken++;
      else
        straight[{first, last}]++;
    }
    std::vector<RangeCount> expected;
    for (const auto& [key, value] : straight)
      expected.push_back(range(key.first, key.second, value));
    CodeCounts counts = count(traces);
    ASSERT_EQ(counts.ranges, expected) << "round " << round;
    ASSERT_EQ(counts.broken_ranges, broken) << "round " << round;
  }
}

// 2 000 ranges over the same 2 MB: 4 000 000 000 addresses, if each were to look at its own.
TEST(CountCode, LooksAtEachAddressOnce) {
  constexpr uint64_t kSize = 2'000'000;
  CodeMap nops({0}, {kSize}, [](CodeMap& map, ElfAddr addr) {
    map.set(addr, CodeByte::instruction(1, CodeByte::kOther));
  });
  BinaryCounts counts;
  for (uint64_t i = 0; i < 2000; i++)
    counts.traces.push_back({kOutside, to(i), to(kSize - 1 - i), kBoth, 1});
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(count_code(counts, nops, 1).ranges.size(), 2000u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(CountCode, Saturates) {
  CodeCounts counts = count({{to(0x1230), to(0x1200), to(0x1210), kBoth, ~0ull},
                             {to(0x1250), to(0x1200), to(0x1210), kBoth, 3},
                             {to(0x1230), to(0x1200), kOutside, kBoth, 5}});
  EXPECT_EQ(counts.ranges, (std::vector{range(0x1200, 0x1210, ~0ull)}));
  EXPECT_EQ(counts.branches[0].count, ~0ull);
}

TEST(FindSegments, CutsWhereRangesBeginAndEnd) {
  EXPECT_EQ(segments_of({range(10, 20, 100), range(15, 30, 7)}),
            (std::vector{segment(10, 14, 100), segment(15, 20, 107), segment(21, 30, 7)}));
  EXPECT_EQ(segments_of({range(10, 20, 1), range(10, 30, 2), range(30, 30, 4)}),
            (std::vector{segment(10, 20, 3), segment(21, 29, 2), segment(30, 30, 6)}));
}

TEST(FindSegments, LeavesGapsOut) {
  EXPECT_EQ(segments_of({range(10, 20, 1), range(30, 40, 2)}),
            (std::vector{segment(10, 20, 1), segment(30, 40, 2)}));
}

TEST(FindSegments, FillsFunctionsWithZeros) {
  EXPECT_EQ(segments_of({range(10, 20, 1), range(30, 40, 2)}, {range(5, 49), range(60, 69)}),
            (std::vector{segment(5, 9, 0), segment(10, 20, 1), segment(21, 29, 0),
                         segment(30, 40, 2), segment(41, 49, 0), segment(60, 69, 0)}));
}

// A range of one function that runs on into the next: the other's zeros begin in the middle.
TEST(FindSegments, CutsZerosWithinRanges) {
  EXPECT_EQ(
      segments_of({range(10, 20, 1)}, {range(0, 14), range(15, 30)}),
      (std::vector{segment(0, 9, 0), segment(10, 14, 1), segment(15, 20, 1), segment(21, 30, 0)}));
}

TEST(FindSegments, CountsAFunctionThatRanAsAWholeOnce) {
  EXPECT_EQ(segments_of({range(10, 20, 3)}, {range(10, 20)}), (std::vector{segment(10, 20, 3)}));
}

// As llvm-profgen has it, whether zeros begin or end at an address is one bit. Two functions that
// begin together (folded code whose debug information disagrees about its size) close at the
// first end, and nothing is open at the second one.
TEST(FindSegments, ClosesTwoFunctionsThatBeginTogetherAtTheFirstEnd) {
  EXPECT_EQ(segments_of({}, {range(10, 20), range(10, 30)}), (std::vector{segment(10, 20, 0)}));
  // From there on the depth is off by one, so the gap to the next range is filled.
  EXPECT_EQ(segments_of({range(40, 50, 6)}, {range(10, 20), range(10, 30)}),
            (std::vector{segment(10, 20, 0), segment(31, 39, 0), segment(40, 50, 6)}));
  // And two that end together stay open.
  EXPECT_EQ(segments_of({range(40, 50, 6)}, {range(10, 30), range(20, 30)}),
            (std::vector{segment(10, 19, 0), segment(20, 30, 0), segment(31, 39, 0),
                         segment(40, 50, 6)}));
}

TEST(FindSegments, HasNothingForNothing) { EXPECT_TRUE(find_segments({}, {}, 1).empty()); }

// Enough of them that threads share the sorting.
TEST(FindSegments, DoesNotDependOnThreads) {
  std::mt19937 random(5);
  std::vector<RangeCount> ranges, functions;
  for (uint64_t at = 0; ranges.size() < 40000; at += random() % 8)
    ranges.push_back(range(at, at + random() % 30, 1 + random() % 9));
  std::sort(ranges.begin(), ranges.end(), [](const RangeCount& a, const RangeCount& b) {
    return std::tie(a.first, a.last) < std::tie(b.first, b.last);
  });
  for (uint64_t at = 0; at < 100000; at += 500) functions.push_back(range(at, at + 450));
  EXPECT_EQ(find_segments(ranges, functions, 1), find_segments(ranges, functions, 7));
}

// Against counting every address by itself.
TEST(FindSegments, AgreesWithCountingAddressByAddress) {
  std::mt19937 random(7);
  auto number = [&](uint64_t end) {
    return std::uniform_int_distribution<uint64_t>(0, end)(random);
  };
  for (int round = 0; round < 2000; round++) {
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> keys;
    for (uint64_t n = number(12); n > 0; n--) {
      uint64_t first = number(90);
      keys[{first, first + number(20)}] += 1 + number(5);
    }
    std::vector<RangeCount> ranges, functions;
    for (const auto& [key, value] : keys) ranges.push_back(range(key.first, key.second, value));
    // Functions that do not touch one another, as sane debug information has them.
    for (uint64_t at = number(10); at < 100; at += 1 + number(15)) {
      uint64_t last = at + number(20);
      functions.push_back(range(at, last));
      at = last;
    }

    std::map<uint64_t, uint64_t> expected;
    for (const RangeCount& f : functions)
      for (uint64_t a = f.first.value; a <= f.last.value; a++) expected[a];
    for (const RangeCount& r : ranges)
      for (uint64_t a = r.first.value; a <= r.last.value; a++) expected[a] += r.count;

    std::map<uint64_t, uint64_t> actual;
    uint64_t end = 0;
    for (const Segment& s : segments_of(ranges, functions)) {
      ASSERT_GE(s.first.value, end) << "segments overlap";
      end = s.last.value + 1;
      for (uint64_t a = s.first.value; a <= s.last.value; a++) actual[a] = s.count;
    }
    ASSERT_EQ(actual, expected) << "round " << round;
  }
}

}  // namespace
}  // namespace pgo::code_counts_test
