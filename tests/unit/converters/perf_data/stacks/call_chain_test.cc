#include "converters/perf_data/stacks/call_chain.h"

#include <gtest/gtest.h>

#include <linux/perf_event.h>

#include <sstream>

namespace pgo::test::call_chain_test {
namespace {

using perf_data::CallChain;
using perf_data::CodeSpace;
using perf_data::CpuMode;
using perf_data::EventAttr;
using perf_data::Frame;

constexpr uint64_t kKernel = PERF_CONTEXT_KERNEL, kUser = PERF_CONTEXT_USER,
                   kUserDeferred = ~uint64_t{640} + 1;
constexpr uint64_t kSyscall = 0xffffffff81000100;

struct Words {
  std::vector<uint64_t> chain = {};
  std::vector<uint64_t> branches = {};  // from, to, flags of each
};

EventAttr event_with(uint64_t branch_sample_type) {
  EventAttr event;
  event.sample_type = perf_data::kSampleIp | perf_data::kSampleBranchStack;
  event.branch_sample_type = branch_sample_type;
  return event;
}

// The frames as "k:81000100 u:1204": of the kernel, a process (u), another machine (o).
std::string frames_of(uint64_t ip, CpuMode mode, const Words& words,
                      const EventAttr& event = event_with(perf_data::kBranchAny)) {
  perf_data::Sample sample;
  sample.ip = {ip};
  sample.frame_count = words.chain.size();
  sample.frames = reinterpret_cast<const uint8_t*>(words.chain.data());
  sample.branch_count = words.branches.size() / 3;
  sample.branches = reinterpret_cast<const uint8_t*>(words.branches.data());
  CallChain chain;
  chain.read(sample, CpuMode::kUser, event);  // what was there before is forgotten
  chain.read(sample, mode, event);
  std::ostringstream text;
  for (const Frame& frame : chain.frames())
    text << (frame.space == CodeSpace::kKernel    ? " k:"
             : frame.space == CodeSpace::kProcess ? " u:"
                                                  : " o:")
         << std::hex << frame.address.value;
  if (chain.is_deferred()) text << " deferred";
  return text.str().substr(std::min<size_t>(text.str().size(), 1));
}

TEST(CallChain, IsTheAddressWithoutAChain) {
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUser, {}), "u:1204");
  EXPECT_EQ(frames_of(kSyscall, CpuMode::kKernel, {}), "k:ffffffff81000100");
  EXPECT_EQ(frames_of(0, CpuMode::kUser, {}), "");
}

TEST(CallChain, HasTheAddressOnce) {
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUser, {.chain = {kUser, 0x1204, 0x1300, 0x1400}}),
            "u:1204 u:1300 u:1400");
  // A function that calls itself is there as often as it was called.
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUser, {.chain = {kUser, 0x1204, 0x1204, 0x1204}}),
            "u:1204 u:1204 u:1204");
  // A precise address, and the one of the interrupt behind it.
  EXPECT_EQ(frames_of(0x1200, CpuMode::kUser, {.chain = {kUser, 0x1204, 0x1300}}), "u:1200 u:1300");
  EXPECT_EQ(frames_of(0, CpuMode::kUser, {.chain = {kUser, 0x1204, 0x1300}}), "u:1204 u:1300");
}

TEST(CallChain, PutsTheKernelBelowTheProcess) {
  EXPECT_EQ(frames_of(kSyscall, CpuMode::kKernel,
                      {.chain = {kKernel, kSyscall, kSyscall + 0x100, kUser, 0x1204, 0x1300}}),
            "k:ffffffff81000100 k:ffffffff81000200 u:1204 u:1300");
  // perf record without the kernel's part (exclude_callchain_kernel), and without the process's.
  EXPECT_EQ(frames_of(kSyscall, CpuMode::kKernel, {.chain = {kUser, 0x1204, 0x1300}}),
            "k:ffffffff81000100 u:1204 u:1300");
  EXPECT_EQ(frames_of(kSyscall, CpuMode::kKernel, {.chain = {kKernel, kSyscall}}),
            "k:ffffffff81000100");
}

TEST(CallChain, GoesByAddressesWithoutModeAndMarkers) {
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUnknown, {.chain = {0x1204, 0x1300}}), "u:1204 u:1300");
  EXPECT_EQ(frames_of(kSyscall, CpuMode::kUnknown, {.chain = {kSyscall, kSyscall + 1}}),
            "k:ffffffff81000100 k:ffffffff81000101");
}

TEST(CallChain, KnowsOtherMachines) {
  EXPECT_EQ(frames_of(0x1204, CpuMode::kGuestUser,
                      {.chain = {PERF_CONTEXT_GUEST_USER, 0x1204, PERF_CONTEXT_GUEST, 0x1300,
                                 PERF_CONTEXT_GUEST_KERNEL, 0x1400, PERF_CONTEXT_HV, 0x1500, kUser,
                                 0x1600}}),
            "o:1204 o:1300 o:1400 o:1500 u:1600");
  EXPECT_EQ(frames_of(0x1204, CpuMode::kHypervisor, {}), "o:1204");
  EXPECT_EQ(frames_of(0x1204, CpuMode::kGuestKernel, {}), "o:1204");
}

// Frame pointers of code that keeps none end in anything, mostly in 0.
TEST(CallChain, LeavesOutTheAddressZero) {
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUser, {.chain = {kUser, 0x1204, 0, 0x1300, 0}}),
            "u:1204 u:1300");
}

TEST(CallChain, EndsAtWhatCannotBeAnAddress) {
  for (uint64_t junk : {~uint64_t{0}, ~uint64_t{6}, uint64_t{PERF_CONTEXT_MAX}})
    EXPECT_EQ(frames_of(0x1204, CpuMode::kUser, {.chain = {kUser, 0x1204, 0x1300, junk, 0x1400}}),
              "u:1204 u:1300");
}

TEST(CallChain, EndsWhereTheRestComesLater) {
  EXPECT_EQ(frames_of(kSyscall, CpuMode::kKernel,
                      {.chain = {kKernel, kSyscall, kUserDeferred, 0xc00c1e}}),
            "k:ffffffff81000100 deferred");
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUser, {.chain = {kUserDeferred, 0xc00c1e}}),
            "u:1204 deferred");
}

TEST(CallChain, TakesCallersFromLbrCallStacks) {
  const EventAttr lbr = event_with(perf_data::kBranchCallStack);
  const std::vector<uint64_t> branches{0x1310, 0x1200, 0, 0x1410, 0x1300, 0, 0, 0, 0};
  // Behind the first byte of each call.
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUser, {.branches = branches}, lbr), "u:1204 u:1311 u:1411");
  EXPECT_EQ(
      frames_of(0x1204, CpuMode::kUser, {.chain = {kUser, 0x1204}, .branches = branches}, lbr),
      "u:1204 u:1311 u:1411");
  // The kernel was entered somewhere in the function that was called last.
  EXPECT_EQ(frames_of(kSyscall, CpuMode::kKernel,
                      {.chain = {kKernel, kSyscall, kSyscall + 2}, .branches = branches}, lbr),
            "k:ffffffff81000100 k:ffffffff81000102 u:1201 u:1311 u:1411");
  // A chain knows more.
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUser,
                      {.chain = {kUser, 0x1204, 0x1315}, .branches = branches}, lbr),
            "u:1204 u:1315");
  // Branches that were taken are no callers.
  EXPECT_EQ(frames_of(0x1204, CpuMode::kUser, {.branches = branches}), "u:1204");
}

}  // namespace
}  // namespace pgo::test::call_chain_test
