#include "pgo/profile/code_map.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace pgo::code_map_test {
namespace {

constexpr ElfAddr kBegin{0x1000}, kEnd{0x1100};

// Code whose instructions are all four bytes long: every eighth returns, nothing else branches.
// Fills in the 16 bytes around the address, as a decoder works in chunks, and counts its calls.
CodeMap four_byte_code(std::atomic<int>* calls = nullptr) {
  return CodeMap(kBegin, kEnd, [calls](CodeMap& map, ElfAddr addr) {
    if (calls != nullptr) (*calls)++;
    uint64_t chunk = addr.value & ~uint64_t{15};
    for (uint64_t at = chunk; at < chunk + 16; at++) {
      auto kind = at % 32 == 28 ? CodeByte::kReturn : CodeByte::kOther;
      map.set(ElfAddr{at},
              at % 4 == 0 ? CodeByte::instruction(4, kind) : CodeByte(CodeByte::kNotCode));
    }
  });
}

TEST(CodeByte, HoldsSizeAndClass) {
  for (unsigned size = 1; size <= 15; size++) {
    for (auto kind :
         {CodeByte::kOther, CodeByte::kCall, CodeByte::kReturn, CodeByte::kDirectJump}) {
      CodeByte byte = CodeByte::instruction(size, kind);
      EXPECT_TRUE(byte.known() && byte.is_code());
      EXPECT_EQ(byte.size(), size);
      EXPECT_EQ(byte.kind(), kind);
      EXPECT_EQ(byte.is_barrier(), kind != CodeByte::kOther);
    }
  }
  EXPECT_FALSE(CodeByte().known());
  EXPECT_FALSE(CodeByte().is_code());
  EXPECT_TRUE(CodeByte(CodeByte::kNotCode).known());
  EXPECT_FALSE(CodeByte(CodeByte::kNotCode).is_code());
  EXPECT_FALSE(CodeByte(CodeByte::kNotCode).is_barrier());
}

TEST(CodeMap, DecodesWhatIsAskedForOnce) {
  std::atomic<int> calls{0};
  CodeMap map = four_byte_code(&calls);
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(map.is_code(ElfAddr{0x1004}));
  EXPECT_FALSE(map.is_code(ElfAddr{0x1005}));
  EXPECT_EQ(map.at(ElfAddr{0x1008}).size(), 4u);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(map.at(ElfAddr{0x101c}).kind(), CodeByte::kReturn);
  EXPECT_EQ(calls, 2);
}

TEST(CodeMap, HasNoCodeOutside) {
  std::atomic<int> calls{0};
  CodeMap map = four_byte_code(&calls);
  for (uint64_t addr : {uint64_t{0}, uint64_t{0xfff}, kEnd.value, ~uint64_t{0}})
    EXPECT_FALSE(map.is_code(ElfAddr{addr})) << addr;
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(map.is_code(ElfAddr{kEnd.value - 4}));
}

TEST(CodeMap, TakesWhatTheDecoderLeavesOutForNoCode) {
  int calls = 0;
  CodeMap map(kBegin, kEnd, [&](CodeMap&, ElfAddr) { calls++; });
  EXPECT_FALSE(map.is_code(ElfAddr{0x1010}));
  EXPECT_FALSE(map.is_code(ElfAddr{0x1010}));
  EXPECT_EQ(calls, 1);
}

TEST(CodeMap, KeepsWhatIsKnown) {
  CodeMap map(kBegin, kEnd, [](CodeMap& self, ElfAddr addr) {
    // Each answer claims that the byte after it is a call: too late for what was decoded before.
    self.set(addr, CodeByte::instruction(1, CodeByte::kOther));
    self.set(ElfAddr{addr.value + 1}, CodeByte::instruction(5, CodeByte::kCall));
  });
  EXPECT_EQ(map.at(ElfAddr{0x1011}).kind(), CodeByte::kOther);
  EXPECT_EQ(map.at(ElfAddr{0x1010}).kind(), CodeByte::kOther);
  EXPECT_EQ(map.at(ElfAddr{0x1011}).kind(), CodeByte::kOther);
  EXPECT_EQ(map.at(ElfAddr{0x10ff}).kind(), CodeByte::kOther);  // 0x1100 is outside
}

TEST(CodeMap, FindsTheLowestBarrier) {
  CodeMap map = four_byte_code();
  EXPECT_EQ(map.find_barrier(ElfAddr{0x1000}, ElfAddr{0x1040}), ElfAddr{0x101c});
  EXPECT_EQ(map.find_barrier(ElfAddr{0x101c}, ElfAddr{0x101d}), ElfAddr{0x101c});
  EXPECT_EQ(map.find_barrier(ElfAddr{0x101d}, ElfAddr{0x103c}), std::nullopt);
  EXPECT_EQ(map.find_barrier(ElfAddr{0x1040}, ElfAddr{0x1000}), std::nullopt);
  // Looks at the map's own addresses only, however far the range goes.
  EXPECT_EQ(map.find_barrier(ElfAddr{0}, ElfAddr{~uint64_t{0}}), ElfAddr{0x101c});
  EXPECT_EQ(map.find_barrier(kEnd, ElfAddr{~uint64_t{0}}), std::nullopt);
}

TEST(CodeMap, MayBeEmpty) {
  for (ElfAddr end : {kBegin, ElfAddr{0}}) {
    CodeMap map(kBegin, end, [](CodeMap&, ElfAddr) { FAIL(); });
    EXPECT_FALSE(map.is_code(kBegin));
    EXPECT_EQ(map.find_barrier(ElfAddr{0}, ElfAddr{~uint64_t{0}}), std::nullopt);
  }
}

TEST(CodeMap, AnswersManyThreadsAlike) {
  std::atomic<int> calls{0};
  CodeMap map = four_byte_code(&calls);
  std::atomic<int> instructions{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; t++) {
      threads.emplace_back([&, t] {
        for (uint64_t i = 0; i < 256; i++) {
          uint64_t addr = kBegin.value + (t % 2 == 0 ? i : 255 - i);
          if (map.is_code(ElfAddr{addr})) instructions++;
        }
      });
    }
  }
  EXPECT_EQ(instructions, 4 * 64);
  EXPECT_GE(calls, 16);  // each chunk at least once: threads may decode the same one side by side
}

}  // namespace
}  // namespace pgo::code_map_test
