#include "pgo/ingest/single_steps.h"

#include <gtest/gtest.h>

#include "pgo/profile/quality.h"

namespace pgo::single_steps_test {
namespace {

// A taken branch, and ten bytes of code behind it.
Trace trace(uint64_t to, uint64_t count) {
  return {ElfAddr{to - 8}, ElfAddr{to}, ElfAddr{to + 9}, TraceReading::kBoth, count};
}

// `steps` samples of one branch each in the code at 0x1000, and `pc_samples` that wait.
AddressProfile profile_of(uint64_t steps, uint64_t pc_samples) {
  AddressProfile profile;
  profile.binaries.emplace_back().traces = {trace(0x1000, steps)};
  profile.samples = {.seen = steps + pc_samples, .used = steps, .pending = pc_samples};
  profile.branches = {.seen = 5'000, .used = 5'000};  // which give steps half of their weight: .15
  profile.events = {{std::string(kSteppedEvent), steps, 4'000'000, false},
                    {"cpu-clock", pc_samples, 4'000'000, false}};
  return profile;
}

TEST(SingleSteps, CountWithPcSamplesOfCpuTime) {
  EXPECT_TRUE(has_steps_and_pc_samples(profile_of(9, 9)));
  EXPECT_FALSE(has_steps_and_pc_samples(profile_of(9, 0)));
  AddressProfile without_traces = profile_of(9, 9);
  without_traces.binaries[0].traces.clear();
  EXPECT_FALSE(has_steps_and_pc_samples(without_traces));
  AddressProfile of_an_emulator = profile_of(9, 9);
  of_an_emulator.events[0].name = kEmulatedEvent;
  EXPECT_FALSE(has_steps_and_pc_samples(of_an_emulator));
  // Samples of another event, which says whether they have branch records.
  AddressProfile of_cycles = profile_of(9, 9);
  EventInfo& cycles = of_cycles.events[1];
  cycles.name = "cycles:u";
  EXPECT_FALSE(has_steps_and_pc_samples(of_cycles));  // as earlier address profiles: not known
  cycles.branch_records = BranchRecords::kSome;
  EXPECT_FALSE(has_steps_and_pc_samples(of_cycles));
  cycles.branch_records = BranchRecords::kNone;
  EXPECT_TRUE(has_steps_and_pc_samples(of_cycles));
  cycles.name = "page-faults:u";  // which do not tell what code is hot
  EXPECT_FALSE(has_steps_and_pc_samples(of_cycles));
}

// The counts of the code that steps saw, after as much was inferred elsewhere.
uint64_t steps_beside(uint64_t steps, uint64_t pc_samples, uint64_t inferred) {
  AddressProfile profile = profile_of(steps, pc_samples);
  combine_with_steps({{trace(0x2000, inferred)}}, profile);
  const std::vector<Trace>& traces = profile.binaries[0].traces;
  EXPECT_EQ(traces.size(), 2u);
  EXPECT_EQ(traces[1], trace(0x2000, inferred));
  return traces[0].count;
}

TEST(SingleSteps, WeighMoreBesideFewPcSamples) {
  EXPECT_EQ(steps_beside(5, 50, 7'000), 1'050u);
  EXPECT_EQ(steps_beside(5, 5'000, 7'000), 1'050u);  // and no less
  EXPECT_EQ(steps_beside(5, 25, 7'000), 2'100u);
  EXPECT_EQ(steps_beside(5, 5, 7'000), 10'500u);
}

TEST(SingleSteps, WeighMoreTheMoreBranchRecordsTheyHave) {
  auto with_records = [](uint64_t records) {
    AddressProfile profile = profile_of(5, 50);
    profile.branches = {.seen = records, .used = records};
    combine_with_steps({{trace(0x2000, 1'000'000)}}, profile);
    return profile.binaries[0].traces[0].count;
  };
  EXPECT_EQ(with_records(45'000), 270'000u);
  EXPECT_EQ(with_records(5'000), 150'000u);
  EXPECT_EQ(with_records(5), 300u);
  EXPECT_EQ(with_records(0), 60u);
}

// With few records the steps are a tiny part; counts do not overflow for that.
TEST(SingleSteps, RaiseCountsAThousandfoldAtMost) {
  AddressProfile profile = profile_of(1'000'000, 10'000'000);
  profile.branches = {.seen = 1, .used = 1};
  combine_with_steps({{trace(0x2000, 1'000)}}, profile);
  EXPECT_EQ(profile.binaries[0].traces,
            (std::vector<Trace>{trace(0x1000, 60), trace(0x2000, 1'000'000)}));
}

TEST(SingleSteps, MultiplyWhatHasTheLowerCounts) {
  AddressProfile profile = profile_of(8'000, 80'000);
  combine_with_steps({{trace(0x2000, 1'000), trace(0x1000, 1'000)}}, profile);
  EXPECT_EQ(profile.binaries[0].traces,
            (std::vector<Trace>{trace(0x1000, 34'667), trace(0x2000, 26'667)}));
}

// 500, 1 000 and 3 500 branch records; where there are no PC samples, as in all together. All
// counts are four times as large, so that none of them is divided.
TEST(SingleSteps, WeighByTheRecordsOfTheirBinary) {
  AddressProfile profile = profile_of(10, 1'000);
  for (uint64_t count : {20u, 70u}) profile.binaries.emplace_back().traces = {trace(0x1000, count)};
  for (size_t i = 0; i < 3; i++) profile.binaries[i].path_hint = std::string(1, "abc"[i]);
  combine_with_steps({{trace(0x2000, 900)}, {trace(0x2000, 100)}, {}}, profile);
  EXPECT_EQ(profile.binaries[0].traces,
            (std::vector<Trace>{trace(0x1000, 98), trace(0x2000, 3'600)}));
  EXPECT_EQ(profile.binaries[1].traces,
            (std::vector<Trace>{trace(0x1000, 20), trace(0x2000, 400)}));
  EXPECT_EQ(profile.binaries[2].traces, std::vector<Trace>{trace(0x1000, 2'800)});
}

TEST(SingleSteps, LeaveCountsWhereNothingWasInferred) {
  AddressProfile profile = profile_of(8, 80);
  combine_with_steps({{}}, profile);
  EXPECT_EQ(profile.binaries[0].traces, std::vector<Trace>{trace(0x1000, 8)});
}

}  // namespace
}  // namespace pgo::single_steps_test
