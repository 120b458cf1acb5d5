#include "converters/perf_data/stacks/branch_windows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/data/random_numbers.h"
#include "tests/data/stack_recording.h"

namespace pgo::test::branch_windows_test {
namespace {

// In kRateCycles.
constexpr int64_t kAll = int64_t{1} << 40;

Event branch_event(uint64_t branches = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY) {
  Event event = clock_event();
  event.type = PERF_TYPE_HARDWARE;
  event.config = PERF_COUNT_HW_CPU_CYCLES;
  event.name = "cycles";
  event.sample_type |= PERF_SAMPLE_BRANCH_STACK;
  event.branch_sample_type = branches;
  return event;
}

Branch branch(uint64_t from, uint64_t to, uint64_t cycles) {
  return {.from = from, .to = to, .cycles = cycles};
}

perf_data::SampledBranches branches_of(const PerfDataBuilder& perf, unsigned jobs = 1) {
  perf_data::StackOptions options;
  options.counts_branches = true;
  options.jobs = jobs;
  Result<perf_data::RecordedStacks> stacks = read(perf.file(), options);
  EXPECT_TRUE(stacks) << stacks.error().message;
  EXPECT_EQ(stacks->branches.profile.check(), std::nullopt);
  return std::move(stacks->branches);
}

// A line for each branch: its target, itself, how often it was seen, and its rate.
std::string text_of(const perf_data::SampledBranches& branches) {
  return samples_of(branches.profile) + "weight " + std::to_string(branches.weight) + " stacks " +
         std::to_string(branches.stacks) + "\n";
}

std::string line(const std::string& branch, int times, int64_t rate) {
  return ": " + branch + " = " + std::to_string(times) + " " + std::to_string(rate) + "\n";
}

// Four branches to one target, 16 cycles from each to the next one: the cycles of the oldest entry
// are those since a branch that is not known.
TEST(BranchWindows, DividesTimesByCycles) {
  PerfDataBuilder perf = recording_of({branch_event()});
  perf.sample({.pid = 10,
               .time = 10,
               .ip = 0x401234,
               .branches = {branch(0x401220, 0x401200, 16), branch(0x401220, 0x401200, 16),
                            branch(0x401220, 0x401200, 16), branch(0x7f0300, 0x401200, 999)},
               .period = 1000});
  EXPECT_EQ(text_of(branches_of(perf)), line("server+1200 libc.so+300", 1, kAll / 4 / 16) +
                                            line("server+1200 server+1220", 3, 3 * kAll / 4 / 16) +
                                            "weight 1000 stacks 1\n");
}

// A loop of 1020 cycles has three branches, with 10, 10 and 1000 cycles before them. Nearly all
// samples are where it waits.
TEST(BranchWindows, KnowWhatCodeIsSlow) {
  const Branch first = branch(0x401220, 0x401240, 10), second = branch(0x401280, 0x401300, 10),
               waited = branch(0x401380, 0x401200, 1000);
  PerfDataBuilder perf = recording_of({branch_event()});
  auto sample = [&](uint64_t ip, std::vector<Branch> branches, uint64_t period) {
    perf.sample(
        {.pid = 10, .time = 10, .ip = ip, .branches = std::move(branches), .period = period});
  };
  sample(0x401210, {waited, second, first}, 30);
  sample(0x401250, {first, waited, second}, 30);
  sample(0x401310, {second, first, waited}, 3000);
  const int64_t rate = 3 * ((kAll + 1530) / 3060);  // 1 / 1020, in three parts
  EXPECT_EQ(text_of(branches_of(perf)),
            line("server+1200 server+1380", 3, rate) + line("server+1240 server+1220", 3, rate) +
                line("server+1300 server+1280", 3, rate) + "weight 3060 stacks 3\n");
}

// A program calls f 1000 times: 300 short steps in main, then f with 40 steps of 8 cycles, of which
// some wait for memory for 300. The rate of calls that is found, divided by the true one.
double relative_rate_of_calls(double waits) {
  constexpr uint64_t kMainLoop = 0x401200, kF = 0x401400, kPeriod = 997;
  constexpr size_t kEntries = 32;
  verify::RandomNumbers random(1);
  std::vector<Branch> run;      // oldest first
  std::vector<uint64_t> times;  // when each was
  uint64_t now = 0;
  auto go = [&](uint64_t from, uint64_t to, uint64_t cycles) {
    run.push_back(branch(from, to, cycles));
    times.push_back(now += cycles);
  };
  for (int call = 0; call < 1000; call++) {
    for (int step = 0; step < 300; step++) go(kMainLoop + 0x20, kMainLoop, 2 + random.next() % 3);
    go(kMainLoop + 0x80, kF, 3);
    for (int step = 0; step < 40; step++)
      go(kF + 0x40, kF + 0x20, random.uniform() < waits ? 300 : 8);
    go(kF + 0x80, kMainLoop, 8);
  }
  PerfDataBuilder perf = recording_of({branch_event()});
  for (uint64_t at = 0; at < now; at += kPeriod / 2 + random.next() % kPeriod) {
    auto after = std::upper_bound(times.begin(), times.end(), at);
    const auto passed = after - times.begin();
    if (passed < static_cast<std::ptrdiff_t>(kEntries)) continue;
    std::vector<Branch> window(run.begin() + passed - kEntries, run.begin() + passed);
    std::reverse(window.begin(), window.end());
    perf.sample({.pid = 10,
                 .time = 10 + at,
                 .ip = window[0].to + 4,
                 .branches = std::move(window),
                 .period = kPeriod});
  }
  const StackProfile found = branches_of(perf).profile;
  for (size_t i = 0; i < found.samples.size(); i++) {
    const LocationId target = found.stacks[static_cast<size_t>(found.samples[i].stack)][0];
    if (frame_text(found, target) == "server+1400")
      return static_cast<double>(found.values_of(i)[1]) / perf_data::kRateCycles *
             static_cast<double>(now) / 1000;
  }
  return 0;
}

// All branches divided by all cycles would be about 2 here. With other random numbers, the standard
// deviation was 6 % without waits, where f has few samples, and 2 % with them.
TEST(BranchWindows, FindTheRateOfARunThatWaitsForMemory) {
  EXPECT_NEAR(relative_rate_of_calls(0), 1, .2);
  EXPECT_NEAR(relative_rate_of_calls(.05), 1, .06);
  EXPECT_NEAR(relative_rate_of_calls(.3), 1, .06);
}

TEST(BranchWindows, WeighsSamples) {
  PerfDataBuilder perf = recording_of({branch_event()});
  for (uint64_t code : {0x401200u, 0x402200u}) {
    const Branch loop = branch(code + 0x20, code, code == 0x401200 ? 64 : 1024);
    perf.sample({.pid = 10,
                 .time = 10,
                 .ip = code + 0x10,
                 .branches = {loop, loop},
                 .period = code == 0x401200 ? 1000u : 3000u});
  }
  EXPECT_EQ(text_of(branches_of(perf)),
            line("server+1200 server+1220", 2, kAll / 64 / 4) +
                line("server+2200 server+2220", 2, kAll / 1024 / 4 * 3) + "weight 4000 stacks 2\n");
}

// The mean of 1 / 64 and 1 / 192 would be too much.
TEST(BranchWindows, TakesTheMeanOfCycles) {
  PerfDataBuilder perf = recording_of({branch_event()});
  for (uint64_t cycles : {64u, 192u})
    perf.sample({.pid = 10,
                 .time = 10,
                 .ip = 0x401210,
                 .branches = {2, branch(0x401220, 0x401200, cycles)},
                 .period = 1000});
  EXPECT_EQ(text_of(branches_of(perf)),
            line("server+1200 server+1220", 4, kAll / 128) + "weight 2000 stacks 2\n");
}

// Where a target is only the newest one, as that of the library.
TEST(BranchWindows, TakesTheMeanOfAllForWhatIsNotKnown) {
  PerfDataBuilder perf = recording_of({branch_event()});
  perf.sample({.pid = 10,
               .time = 10,
               .ip = 0x7f0010,
               .branches = {branch(0x401240, 0x7f0000, 32), branch(0x401220, 0x401200, 8)},
               .period = 1000});
  EXPECT_EQ(text_of(branches_of(perf)), line("libc.so+0 server+1240", 1, kAll / 2 / 32) +
                                            line("server+1200 server+1220", 1, kAll / 2 / 32) +
                                            "weight 1000 stacks 1\n");
}

TEST(BranchWindows, NeedsCycleCounts) {
  PerfDataBuilder perf = recording_of({branch_event()});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401234, .branches = {{0x401220, 0x401200}}});
  perf.sample({.pid = 10, .time = 11, .ip = 0x401234, .branches = {{0, 0}}});
  perf.sample({.pid = 10, .time = 12, .ip = 0x401234});
  EXPECT_EQ(text_of(branches_of(perf)), "weight 0 stacks 1\n");
}

// These are branches of the window, but nothing is known of the cycles before them, or these were
// the kernel's.
TEST(BranchWindows, LeavesOutCyclesOfTheKernelAndThoseNotKnown) {
  const Branch loop = branch(0x401220, 0x401200, 16);
  PerfDataBuilder perf = recording_of({branch_event()});
  perf.sample(
      {.pid = 10,
       .time = 10,
       .ip = 0x401210,
       .branches = {loop, branch(0x401220, 0x401200, 0), branch(kKernelText, 0x401200, 5000), loop},
       .period = 1000});
  EXPECT_EQ(text_of(branches_of(perf)),
            line("server+1200 server+1220", 3, 3 * kAll / 4 / 16) + "weight 1000 stacks 1\n");
}

// The window ended when the process entered the kernel.
TEST(BranchWindows, CountsNoCallsInTheKernelsTime) {
  const Branch loop = branch(0x401220, 0x401200, 64);
  PerfDataBuilder perf = recording_of({branch_event()});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401234, .branches = {loop, loop}, .period = 1000});
  perf.sample({.pid = 10,
               .time = 11,
               .ip = kKernelText,
               .branches = {loop, loop},
               .period = 1000,
               .misc = PERF_RECORD_MISC_KERNEL});
  EXPECT_EQ(text_of(branches_of(perf)),
            line("server+1200 server+1220", 2, kAll / 64 / 2) + "weight 2000 stacks 2\n");
}

TEST(BranchWindows, AreOfEventsThatCountCyclesWithAllBranches) {
  Event instructions = branch_event();
  instructions.config = PERF_COUNT_HW_INSTRUCTIONS;
  instructions.name = "instructions";
  for (const Event& event :
       {branch_event(PERF_SAMPLE_BRANCH_ANY_CALL), instructions,
        branch_event(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK)}) {
    PerfDataBuilder perf = recording_of({event});
    perf.sample(
        {.pid = 10, .time = 10, .ip = 0x401234, .branches = {2, branch(0x401220, 0x401200, 64)}});
    EXPECT_EQ(text_of(branches_of(perf)), "weight 0 stacks 0\n") << event.name;
  }
}

TEST(BranchWindows, AreOfCyclesByWhateverName) {
  Event raw = branch_event(), reference = branch_event();
  raw.type = PERF_TYPE_RAW;
  raw.config = 0x3c;
  raw.name = "cpu_core/cpu_clk_unhalted.thread/u";
  reference.config = PERF_COUNT_HW_REF_CPU_CYCLES;
  reference.name = "ref-cycles:u";
  for (const Event& event : {raw, reference}) {
    PerfDataBuilder perf = recording_of({event});
    perf.sample(
        {.pid = 10, .time = 10, .ip = 0x401234, .branches = {2, branch(0x401220, 0x401200, 64)}});
    EXPECT_EQ(branches_of(perf).weight, 1u) << event.name;
  }
}

TEST(BranchWindows, AreReadOnlyOnRequest) {
  PerfDataBuilder perf = recording_of({branch_event()});
  perf.sample(
      {.pid = 10, .time = 10, .ip = 0x401234, .branches = {2, branch(0x401220, 0x401200, 64)}});
  EXPECT_EQ(text_of(read(perf.file())->branches), "weight 0 stacks 0\n");
}

}  // namespace
}  // namespace pgo::test::branch_windows_test
