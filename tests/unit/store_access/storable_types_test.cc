#include "pgo/store_access/storable_types.h"

#include <gtest/gtest.h>

#include "pgo/profile/stack_selection.h"
#include "pgo/store_access/profile_type.h"
#include "tests/data/small_stacks.h"

namespace pgo::storable_types_test {
namespace {

using store_access::make_types_storable;
using store_access::storable_type;

// Two samples, of the types TYPE/UNIT.
StackProfile profile_of(const std::vector<std::pair<const char*, const char*>>& types,
                        const std::vector<int64_t>& values) {
  StackProfile profile = test::small_stacks({{.stack = {{"work"}}, .count = 3}});
  profile.sample_types.clear();
  for (const auto& [type, unit] : types)
    profile.sample_types.push_back({profile.strings.add(type), profile.strings.add(unit)});
  profile.values = values;
  profile.period_type = profile.sample_types.back();
  profile.normalize();
  return profile;
}

// "samples/count cycles/count by 7 cycles/count".
std::string types_of(const StackProfile& profile) {
  std::string text;
  for (size_t type = 0; type < profile.sample_types.size(); type++)
    text += type_name(profile, type) + " ";
  return text + "by " + std::to_string(profile.period) + " " +
         std::string(profile.text(profile.period_type.type)) + "/" +
         std::string(profile.text(profile.period_type.unit));
}

TEST(StorableTypes, HaveLettersDigitsAndUnderscores) {
  EXPECT_EQ(storable_type("cycles:u", "count"), "cycles");
  EXPECT_EQ(storable_type("cpu_core/cycles/u", "count"), "cycles");
  EXPECT_EQ(storable_type("cpu-clock", "nanoseconds"), "cpu");
  EXPECT_EQ(storable_type("cpu-time", "ms"), "cpu");
  EXPECT_EQ(storable_type("cpu-clock", "count"), "cpu_clock");
  EXPECT_EQ(storable_type("L1-dcache-load-misses:u", "count"), "L1_dcache_load_misses");
  EXPECT_EQ(storable_type("alloc_space", "bytes"), "alloc_space");
  EXPECT_EQ(storable_type("samples", "count"), "samples");
}

TEST(StorableTypes, KeepThePeriod) {
  StackProfile profile = profile_of({{"samples", "count"}, {"cycles:u", "count"}}, {3, 21});
  profile.period = 7;
  make_types_storable(profile);
  EXPECT_EQ(types_of(profile), "samples/count cycles/count by 7 cycles/count");
  EXPECT_EQ(store_access::profile_name_of(profile), "process_cpu");
  EXPECT_EQ(profile.check(), std::nullopt);
}

TEST(StorableTypes, HaveTheMeanWhereThereIsNoPeriod) {
  StackProfile profile = profile_of({{"samples", "count"}, {"cpu-clock", "nanoseconds"}}, {3, 10});
  make_types_storable(profile);
  EXPECT_EQ(types_of(profile), "samples/count cpu/nanoseconds by 3 cpu/nanoseconds");
  profile = profile_of({{"samples", "count"}}, {3});
  profile.period_type = {};
  make_types_storable(profile);
  EXPECT_EQ(types_of(profile), "samples/count by 1 samples/count");
}

TEST(StorableTypes, StayDifferent) {
  StackProfile profile = profile_of({{"a-b", "count"}, {"a.b", "count"}}, {3, 4});
  make_types_storable(profile);
  EXPECT_EQ(types_of(profile), "a_b/count a_b_/count by 0 a_b/count");
  EXPECT_EQ(store_access::profile_name_of(profile), "a_b");
}

}  // namespace
}  // namespace pgo::storable_types_test
