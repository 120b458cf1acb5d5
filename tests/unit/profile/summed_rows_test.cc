#include "pgo/profile/summed_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace pgo::summed_rows_test {
namespace {

Mispredict row(uint64_t from, uint64_t to, uint64_t count) {
  return {from == 0 ? OptElfAddr() : OptElfAddr(ElfAddr{from}), ElfAddr{to}, count};
}

// Large tables and small ones, sorted or not, with keys that come again and new ones.
TEST(SummedRows, AddsUpLikeAMap) {
  for (unsigned seed = 0; seed < 200; seed++) {
    std::mt19937 random(seed);
    auto below = [&](uint64_t n) { return uint64_t{random()} % n; };
    std::map<std::pair<OptElfAddr, OptElfAddr>, uint64_t> expected;
    SummedRows<Mispredict> sums, others;
    for (int table = 0; table < 12; table++) {
      std::vector<Mispredict> rows;
      const uint64_t size = below(3) == 0 ? below(300) : below(12);
      for (uint64_t i = 0; i < size; i++)
        rows.push_back(row(below(seed % 2 == 0 ? 300 : 6), 1 + below(60), 1 + below(9)));
      if (below(4) != 0) sort_and_sum(rows, 1, [](const Mispredict& one) { return key(one); });
      for (const Mispredict& one : rows) expected[{one.from, one.to}] += 3 * one.count;
      (table % 5 == 4 ? others : sums).add(rows, MergeFactor::of(3, 1));
    }
    sums.add(std::move(others));
    std::vector<Mispredict> rows;
    for (const auto& [places, count] : expected)
      rows.push_back({places.first, places.second, count});
    EXPECT_EQ(std::move(sums).finish(), rows) << seed;
  }
}

TEST(SummedRows, RoundsOnce) {
  SummedRows<Mispredict> sums;
  for (int i = 0; i < 3; i++) {
    sums.add({row(1, 2, 1), row(3, 4, 1)}, MergeFactor::of(1, 2));
    sums.add({row(3, 4, 1)}, MergeFactor::of(1, 10));
  }
  EXPECT_EQ(std::move(sums).finish(), (std::vector<Mispredict>{row(1, 2, 2), row(3, 4, 2)}));
  SummedRows<Mispredict> little;
  little.add({row(1, 2, 1)}, MergeFactor::of(1, 10));
  EXPECT_TRUE(std::move(little).finish().empty());
}

}  // namespace
}  // namespace pgo::summed_rows_test
