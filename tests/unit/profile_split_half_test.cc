#include "pgo/profile/split_half.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pgo {
namespace {

constexpr uint64_t kMax = ~uint64_t{0};

Trace trace(uint64_t to, uint64_t last, uint64_t count) {
  return {ElfAddr{0x10}, ElfAddr{to}, ElfAddr{last}, TraceReading::kBoth, count};
}

TEST(SplitHalf, AddsUpToTheWhole) {
  BinaryCounts whole;
  for (uint64_t i = 0; i < 200; i++) {
    uint64_t count = i % 50 == 0 ? kMax - i : i % 3 == 0 ? i * i * i : i;
    whole.traces.push_back(trace(0x1000 + i, 0x1004 + i, count));
    whole.mispredicts.push_back({ElfAddr{i}, ElfAddr{1}, count});
    whole.ips.push_back({ElfAddr{i}, count});
    whole.calls.push_back({ElfAddr{i}, ElfAddr{2}, i % 2 == 0, count});
  }
  for (double weight : {1.0, 1e5, .25}) {
    auto [first, second] = split_in_halves(whole, weight);
    BinaryCounts sum = first;
    for (size_t i = 0; i < whole.traces.size(); i++) {
      sum.traces[i].count += second.traces[i].count;
      sum.mispredicts[i].count += second.mispredicts[i].count;
      sum.ips[i].count += second.ips[i].count;
      sum.calls[i].count += second.calls[i].count;
    }
    EXPECT_EQ(sum, whole);
    EXPECT_EQ(split_in_halves(whole, weight).first, first);
  }
}

// As many as of coins: the mean is a half, and the deviation that of a binomial.
TEST(SplitHalf, DividesByChance) {
  for (uint64_t count : {1, 10, 63, 64, 65, 1000, 4096, 4097, 1'000'000}) {
    BinaryCounts whole;
    constexpr size_t kEntries = 2000;
    for (size_t i = 0; i < kEntries; i++) whole.ips.push_back({ElfAddr{0x1000 + 3 * i}, count});
    BinaryCounts first = split_in_halves(whole, 1).first;
    double sum = 0, squares = 0, half = static_cast<double>(count) / 2;
    for (const IpCount& ip : first.ips) {
      double off = static_cast<double>(ip.count) - half;
      sum += off;
      squares += off * off;
    }
    double expected = std::sqrt(static_cast<double>(count)) / 2;
    EXPECT_LT(std::abs(sum) / kEntries, 4 * expected / std::sqrt(double{kEntries}) + .5) << count;
    EXPECT_NEAR(std::sqrt(squares / kEntries) / expected, 1, .1) << count;
  }
}

TEST(SplitHalf, DividesSamplesNotPeriods) {
  BinaryCounts whole;
  for (uint64_t i = 0; i < 100; i++) whole.ips.push_back({ElfAddr{i}, 1'000'000});
  uint64_t on_the_first = 0;
  for (const IpCount& ip : split_in_halves(whole, 1e6).first.ips) {
    EXPECT_TRUE(ip.count == 0 || ip.count == 1'000'000);
    on_the_first += ip.count != 0;
  }
  EXPECT_GT(on_the_first, 30u);
  EXPECT_LT(on_the_first, 70u);
}

TEST(ExecutedOverlap, ComparesSharesOfCode) {
  BinaryCounts a, b, both;
  a.traces = {trace(0x1000, 0x100f, 10)};
  b.traces = {trace(0x2000, 0x200f, 70)};
  both.traces = {trace(0x1000, 0x100f, 5), trace(0x2000, 0x202f, 5)};
  EXPECT_EQ(executed_overlap(a, a), 1);
  EXPECT_EQ(executed_overlap(a, b), 0);
  EXPECT_DOUBLE_EQ(executed_overlap(a, both), .25);
  EXPECT_DOUBLE_EQ(executed_overlap(both, a), .25);
  EXPECT_EQ(executed_overlap(a, {}), 0);
  EXPECT_EQ(executed_overlap({}, {}), 0);
}

// Traces of the same code in other pieces.
TEST(ExecutedOverlap, DoesNotDependOnHowCodeIsCut) {
  BinaryCounts whole, pieces;
  whole.traces = {trace(0x1000, 0x103f, 12)};
  pieces.traces = {trace(0x1000, 0x100f, 3), trace(0x1010, 0x103f, 3), trace(0x1000, 0x103f, 1)};
  EXPECT_DOUBLE_EQ(executed_overlap(whole, pieces), 1);
}

}  // namespace
}  // namespace pgo
