#include "pgo/profile/address_selection.h"

#include <gtest/gtest.h>

namespace pgo::address_selection_test {
namespace {

BinaryCounts binary(const std::string& path, uint64_t traces, uint64_t pc_samples) {
  BinaryCounts counts;
  counts.path_hint = path;
  counts.traces = {{ElfAddr{1}, ElfAddr{2}, {}, TraceReading::kBoth, traces},
                   {ElfAddr{2}, ElfAddr{2}, {}, TraceReading::kBolt, 1000}};
  // What a sample weighs differs between hosts, and does not matter.
  uint64_t weight = path == "a" ? 7'000 : 5;
  counts.pc_samples = {{ElfAddr{1}, pc_samples, weight}};
  return counts;
}

AddressProfile profile_of_three() {
  AddressProfile profile;
  profile.binaries = {binary("a", 10, 1), binary("b", 5, 1), binary("c", 5, 1)};
  profile.branches.used = 21;
  profile.branches[Dropped::kKernel] = 4;
  profile.branches.seen = 25;
  profile.samples.used = 2;
  profile.samples.pending = 30;
  profile.samples.seen = 32;
  return profile;
}

std::optional<Dropped> all_but_a(const BinaryCounts& counts) {
  if (counts.path_hint == "b") return Dropped::kOtherBinary;
  if (counts.path_hint == "c") return Dropped::kBuildIdMismatch;
  return std::nullopt;
}

TEST(AddressSelection, WhatIsLeftOutTakesItsShare) {
  AddressProfile profile = profile_of_three();
  std::vector<LeftOutBinary> left_out = leave_out(profile, all_but_a);
  ASSERT_EQ(profile.binaries.size(), 1u);
  ASSERT_EQ(left_out.size(), 2u);
  EXPECT_EQ(left_out[0].path_hint, "b");
  EXPECT_EQ(left_out[0].reason, Dropped::kOtherBinary);
  EXPECT_EQ(left_out[0].samples, 11u);
  EXPECT_EQ(left_out[1].reason, Dropped::kBuildIdMismatch);
  EXPECT_EQ(profile.binaries[0], binary("a", 10, 1));
  // A quarter of 21, twice, and of 2; a third of 30.
  EXPECT_EQ(profile.branches.used, 11u);
  EXPECT_EQ(profile.branches[Dropped::kOtherBinary], 5u);
  EXPECT_EQ(profile.branches[Dropped::kBuildIdMismatch], 5u);
  EXPECT_EQ(profile.branches[Dropped::kKernel], 4u);
  EXPECT_EQ(profile.samples.used, 0u);
  EXPECT_EQ(profile.samples.pending, 10u);
  EXPECT_EQ(profile.samples[Dropped::kOtherBinary], 11u);
  EXPECT_EQ(profile.check(), std::nullopt);
}

TEST(AddressSelection, NothingOrAllMovesExactly) {
  AddressProfile profile = profile_of_three(), same = profile;
  leave_out(same, [](const BinaryCounts&) { return std::optional<Dropped>(); });
  EXPECT_EQ(same, profile);
  leave_out(profile, [](const BinaryCounts&) { return std::optional(Dropped::kOtherBinary); });
  EXPECT_TRUE(profile.binaries.empty());
  EXPECT_EQ(profile.branches.used, 0u);
  EXPECT_EQ(profile.branches[Dropped::kOtherBinary], 21u);
  EXPECT_EQ(profile.samples[Dropped::kOtherBinary], 32u);
  EXPECT_EQ(profile.check(), std::nullopt);
}

TEST(AddressSelection, LargestCountsDoNotWrap) {
  constexpr uint64_t kMax = ~uint64_t{0};
  AddressProfile profile;
  profile.binaries = {binary("a", kMax, 0), binary("b", kMax, 0)};
  profile.branches.used = profile.branches.seen = kMax;
  leave_out(profile, all_but_a);
  EXPECT_EQ(profile.branches.used + profile.branches[Dropped::kOtherBinary], kMax);
  EXPECT_EQ(profile.check(), std::nullopt);
}

}  // namespace
}  // namespace pgo::address_selection_test
