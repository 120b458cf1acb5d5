#include "pgo/profile/call_counts.h"

#include <gtest/gtest.h>

#include <sstream>

namespace pgo::call_counts_test {
namespace {

StackFrame at(uint64_t addr, size_t binary = 0) { return {binary, ElfAddr{addr}}; }

std::string text_of(const CallCounts& calls, size_t binaries) {
  AddressProfile profile;
  profile.binaries.resize(binaries);
  calls.add_to(profile.binaries);
  std::ostringstream text;
  for (BinaryCounts& counts : profile.binaries) {
    counts.normalize();
    for (const CallEdge& call : counts.calls)
      text << std::hex << call.caller.value << ">" << call.callee.value << std::dec << " x"
           << call.count << (call.is_leaf ? " leaf; " : "; ");
    text << "/ ";
  }
  return text.str();
}

TEST(CallCounts, TellTheLeafFromCallers) {
  CallCounts calls(1);
  std::vector<StackFrame> stack = {at(1), at(2), at(3)};
  calls.add(stack, 5);
  calls.add({stack.begin() + 1, stack.end()}, 7);
  EXPECT_EQ(text_of(calls, 1), "2>1 x5 leaf; 3>2 x5; 3>2 x7 leaf; / ");
}

TEST(CallCounts, CountNeighboursOfOneBinaryOnly) {
  CallCounts calls(2);
  StackFrame nowhere;
  std::vector<StackFrame> stack = {at(1), at(2, 1), at(3, 1), nowhere, at(4, 1), at(5), at(6)};
  calls.add(stack, 1);
  EXPECT_EQ(text_of(calls, 2), "6>5 x1; / 3>2 x1; / ");
}

TEST(CallCounts, CountRecursionOnce) {
  CallCounts calls(1);
  std::vector<StackFrame> stack = {at(1), at(1), at(1), at(1), at(2)};
  calls.add(stack, 3);
  EXPECT_EQ(text_of(calls, 1), "1>1 x3; 1>1 x3 leaf; 2>1 x3; / ");
}

// More than is merged at once.
TEST(CallCounts, LoseNothingOfManyStacks) {
  CallCounts calls(1);
  constexpr uint64_t kStacks = 3000, kDepth = 50;
  std::vector<StackFrame> stack;
  for (uint64_t i = 0; i < kStacks; i++) {
    stack.clear();
    for (uint64_t j = 0; j <= kDepth; j++) stack.push_back(at(j + i % 2 * 1000));
    calls.add(stack, 2);
  }
  std::vector<BinaryCounts> binaries(1);
  calls.add_to(binaries);
  EXPECT_LT(binaries[0].calls.size(), kStacks * kDepth);
  binaries[0].normalize();
  ASSERT_EQ(binaries[0].calls.size(), 2 * kDepth);
  for (const CallEdge& call : binaries[0].calls) EXPECT_EQ(call.count, kStacks);
}

}  // namespace
}  // namespace pgo::call_counts_test
