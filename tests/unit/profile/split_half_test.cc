#include "pgo/profile/split_half.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pgo::split_half_test {
namespace {

constexpr uint64_t kMax = ~uint64_t{0};

Trace trace(uint64_t to, uint64_t last, uint64_t count) {
  return {ElfAddr{0x10}, ElfAddr{to}, ElfAddr{last}, TraceReading::kBoth, count};
}

TEST(SplitHalf, AddsUpToTheWhole) {
  BinaryCounts whole;
  for (uint64_t i = 0; i < 200; i++) {
    uint64_t count = i % 50 == 0 ? kMax - i : i % 3 == 0 ? i * i * i : i;
    whole.pc_samples.push_back({ElfAddr{i}, count, 7 * i + 1});
    whole.calls.push_back({ElfAddr{i}, ElfAddr{2}, i % 2 == 0, count});
    whole.traces.push_back({ElfAddr{i}, ElfAddr{2}, ElfAddr{9}, TraceReading::kBoth, count});
  }
  for (double weight : {1.0, 1e5, .25}) {
    auto [first, second] = split_counts(whole, weight);
    BinaryCounts sum = first;
    for (size_t i = 0; i < whole.pc_samples.size(); i++) {
      sum.pc_samples[i].samples += second.pc_samples[i].samples;
      sum.pc_samples[i].weight += second.pc_samples[i].weight;
      sum.calls[i].count += second.calls[i].count;
      sum.traces[i].count += second.traces[i].count;
    }
    EXPECT_EQ(sum, whole);
    EXPECT_EQ(split_counts(whole, weight).first, first);
  }
}

// As many as of coins: the mean is a half, and the deviation that of a binomial.
TEST(SplitHalf, DividesByChance) {
  for (uint64_t count : {1u, 10u, 63u, 64u, 65u, 1000u, 4096u, 4097u, 1'000'000u}) {
    BinaryCounts whole;
    constexpr size_t kEntries = 2000;
    for (size_t i = 0; i < kEntries; i++)
      whole.pc_samples.push_back({ElfAddr{0x1000 + 3 * i}, count, count});
    BinaryCounts first = split_counts(whole, 1).first;
    double sum = 0, squares = 0, half = static_cast<double>(count) / 2;
    for (const PcSample& sample : first.pc_samples) {
      double off = static_cast<double>(sample.weight) - half;
      EXPECT_EQ(sample.samples, sample.weight);
      sum += off;
      squares += off * off;
    }
    double expected = std::sqrt(static_cast<double>(count)) / 2;
    EXPECT_LT(std::abs(sum) / kEntries, 4 * expected / std::sqrt(double{kEntries}) + .5) << count;
    EXPECT_NEAR(std::sqrt(squares / kEntries) / expected, 1, .1) << count;
  }
}

// Samples of hosts with different periods: one sample stays whole, whatever one weighs on average.
TEST(SplitHalf, DividesSamplesNotPeriods) {
  BinaryCounts whole;
  for (uint64_t i = 0; i < 100; i++) whole.pc_samples.push_back({ElfAddr{i}, 1, 1'000'000});
  uint64_t on_the_first = 0;
  for (const PcSample& sample : split_counts(whole, 1e3).first.pc_samples) {
    EXPECT_EQ(sample.weight, 1'000'000 * sample.samples);
    on_the_first += sample.samples;
  }
  EXPECT_GT(on_the_first, 30u);
  EXPECT_LT(on_the_first, 70u);
}

TEST(SplitHalf, FindsWhatManyBranchRecordsAgreeOn) {
  auto overlap = [](uint64_t count) {
    std::vector<BinaryCounts> binaries(2);
    for (uint64_t i = 0; i < 500; i++)
      binaries[i % 2].traces.push_back(trace(0x1000 + 16 * i, 0x100f + 16 * i, count));
    return overlap_of_trace_halves(binaries).value();
  };
  EXPECT_LT(overlap(1), .01);
  EXPECT_GT(overlap(100), .9);
  EXPECT_LT(overlap(100), .97);
  EXPECT_GT(overlap(10'000), .99);
  EXPECT_LE(overlap(kMax), 1);
}

// What the two readings of branch stacks make of the same records counts once.
TEST(SplitHalf, LeavesOutTheReadingOfBolt) {
  std::vector<BinaryCounts> once(1), twice(1), bolt(1);
  for (uint64_t i = 0; i < 100; i++) {
    Trace one = trace(0x1000 + 16 * i, 0x100f + 16 * i, 20);
    one.reading = TraceReading::kLlvm;
    once[0].traces.push_back(one);
    twice[0].traces.push_back(one);
    one.reading = TraceReading::kBolt;
    twice[0].traces.push_back(one);
    bolt[0].traces.push_back(one);
  }
  ASSERT_TRUE(overlap_of_trace_halves(once));
  EXPECT_EQ(overlap_of_trace_halves(twice), overlap_of_trace_halves(once));
  EXPECT_EQ(overlap_of_trace_halves(bolt), std::nullopt);
}

TEST(SplitHalf, KnowsNothingOfWhatDidNotRun) {
  BinaryCounts counts;
  counts.traces = {{ElfAddr{1}, {}, {}, TraceReading::kBoth, 9}, trace(0x2000, 0x1000, 9)};
  EXPECT_EQ(overlap_of_trace_halves(std::vector{counts}), std::nullopt);
  EXPECT_EQ(overlap_of_trace_halves({}), std::nullopt);
}

}  // namespace
}  // namespace pgo::split_half_test
