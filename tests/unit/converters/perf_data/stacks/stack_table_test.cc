#include "converters/perf_data/stacks/stack_table.h"

#include <gtest/gtest.h>

#include <map>

namespace pgo::test::stack_table_test {
namespace {

using perf_data::CodePlace;
using perf_data::StackTable;

using Counts = std::map<std::vector<uint64_t>, std::pair<uint64_t, uint64_t>>;

// By label and places.
Counts counts_of(const StackTable& table) {
  Counts counts;
  for (size_t i = 0; i < table.size(); i++) {
    StackTable::Row row = table[i];
    std::vector<uint64_t> key{row.label};
    for (StackTable::PlaceId place : row.stack) key.push_back(table.places()[place].at);
    EXPECT_TRUE(counts.insert({key, {row.samples, row.weight}}).second) << "a row is there twice";
  }
  return counts;
}

void count(StackTable& table, uint64_t label, const std::vector<uint64_t>& places,
           uint64_t weight) {
  std::vector<StackTable::PlaceId> stack;
  for (uint64_t at : places) stack.push_back(table.add_place({1, at}));
  table.count({static_cast<uint32_t>(label), stack, 1, weight});
}

TEST(StackTable, CountsStacksByLabel) {
  StackTable table;
  count(table, 1, {0x10, 0x20}, 100);
  count(table, 1, {0x10, 0x20}, 50);
  count(table, 2, {0x10, 0x20}, 7);
  count(table, 1, {0x20, 0x10}, 3);
  count(table, 1, {0x10}, 2);
  count(table, 1, {}, 1);
  EXPECT_EQ(counts_of(table), (Counts{{{1, 0x10, 0x20}, {2, 150}},
                                      {{2, 0x10, 0x20}, {1, 7}},
                                      {{1, 0x20, 0x10}, {1, 3}},
                                      {{1, 0x10}, {1, 2}},
                                      {{1}, {1, 1}}}));
}

TEST(StackTable, TellsPlacesApartByFile) {
  StackTable table;
  EXPECT_EQ(table.add_place({1, 0x10}), 0u);
  EXPECT_EQ(table.add_place({2, 0x10}), 1u);
  EXPECT_EQ(table.add_place({CodePlace::kNowhere, 0x10}), 2u);
  EXPECT_EQ(table.add_place({2, 0x10}), 1u);
}

TEST(StackTable, AddsUpWhateverNumbersThereAre) {
  StackTable one, other;
  for (uint64_t i = 0; i < 1000; i++) count(one, i % 3, {i, i / 2, 7}, i);
  for (uint64_t i = 1500; i-- > 500;) count(other, i % 3, {i, i / 2, 7}, 1);
  Counts expected = counts_of(one);
  for (const auto& [key, sums] : counts_of(other)) {
    expected[key].first += sums.first;
    expected[key].second += sums.second;
  }
  one.add(other);
  EXPECT_EQ(counts_of(one), expected);
  EXPECT_EQ(expected.size(), 1500u);
}

TEST(StackTable, StopsAtTheLargestWeight) {
  StackTable table;
  count(table, 1, {0x10}, ~0ull - 1);
  count(table, 1, {0x10}, 7);
  EXPECT_EQ(counts_of(table).at({1, 0x10}).second, ~0ull);
}

}  // namespace
}  // namespace pgo::test::stack_table_test
