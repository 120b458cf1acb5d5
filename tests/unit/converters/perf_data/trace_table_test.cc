#include "converters/perf_data/trace_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

namespace pgo::perf_data::trace_table_test {
namespace {

using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

std::map<Key, uint64_t> contents(const TraceTable& table) {
  std::map<Key, uint64_t> all;
  for (const TraceTable::Slot& slot : table.slots()) {
    if (slot.count == 0) continue;
    const TraceKey& key = slot.key;
    EXPECT_TRUE(
        all.try_emplace({key.from, key.to, key.last, key.binary_and_reading}, slot.count).second)
        << "a key has two slots";
  }
  EXPECT_EQ(all.size(), table.size());
  return all;
}

TEST(TraceKey, PacksBinaryAndReading) {
  for (uint32_t binary : {0u, 1u, 1000u, (1u << 30) - 1})
    for (TraceReading reading : {TraceReading::kBoth, TraceReading::kLlvm, TraceReading::kBolt}) {
      TraceKey key{1, 2, 3, TraceKey::pack(binary, reading)};
      EXPECT_EQ(key.binary(), binary);
      EXPECT_EQ(key.reading(), reading);
    }
}

TEST(TraceTable, IsEmptyAtFirst) {
  TraceTable table;
  table.flush();
  EXPECT_TRUE(contents(table).empty());
}

TEST(TraceTable, TellsKeysApartByEveryField) {
  TraceTable table;
  for (int i = 0; i < 3; i++)
    for (TraceKey key : {TraceKey{1, 2, 3, 4}, {2, 1, 3, 4}, {1, 3, 2, 4}, {1, 2, 3, 5}, {}})
      table.add(key);
  table.flush();
  constexpr uint32_t kNothing = TraceKey::kNothing;
  EXPECT_EQ(contents(table), (std::map<Key, uint64_t>{{{1, 2, 3, 4}, 3},
                                                      {{2, 1, 3, 4}, 3},
                                                      {{1, 3, 2, 4}, 3},
                                                      {{1, 2, 3, 5}, 3},
                                                      {{kNothing, kNothing, kNothing, 0}, 3}}));
}

// Grows several times, with flushes at odd moments.
TEST(TraceTable, AgreesWithAMap) {
  std::mt19937 random(3);
  TraceTable table;
  std::map<Key, uint64_t> expected;
  for (int i = 0; i < 40000; i++) {
    // Few high bits and many low ones, as addresses have them.
    auto number = [&] { return (random() % 5 << 20) + random() % 64 * 4; };
    uint32_t from = static_cast<uint32_t>(number()), to = static_cast<uint32_t>(number());
    uint32_t last = random() % 8 == 0 ? TraceKey::kNothing : static_cast<uint32_t>(random() % 4);
    table.add({from, to, last, 0});
    expected[{from, to, last, 0}]++;
    if (i % 1013 == 0) table.flush();
  }
  table.flush();
  EXPECT_GT(expected.size(), 30000u) << "too few keys to make the table grow";
  EXPECT_EQ(contents(table), expected);
  EXPECT_GE(table.slots().size(), 2 * table.size());
}

}  // namespace
}  // namespace pgo::perf_data::trace_table_test
