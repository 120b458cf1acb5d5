#include "pgo/diff/sample_weight.h"

#include <gtest/gtest.h>

namespace pgo::sample_weight_test {
namespace {

struct Type {
  const char *type, *unit;
};

StackProfile profile(std::initializer_list<Type> types, std::initializer_list<int64_t> values,
                     Type period = {"", ""}, int64_t size = 0) {
  StackProfile profile;
  for (const Type& type : types)
    profile.sample_types.push_back(
        {profile.strings.add(type.type), profile.strings.add(type.unit)});
  profile.period_type = {profile.strings.add(period.type), profile.strings.add(period.unit)};
  profile.period = size;
  profile.add_sample({profile.add_stack({}), profile.add_labels({})}, values);
  profile.normalize();
  return profile;
}

double samples(const StackProfile& profile, const std::string& wanted = "") {
  return SampleWeight::choose(profile, wanted, "p")->samples(profile, 0);
}

TEST(SampleWeight, IsWhatTheProfileShows) {
  StackProfile cpu = profile({{"samples", "count"}, {"cpu", "nanoseconds"}}, {3, 30});
  EXPECT_EQ(SampleWeight::choose(cpu, "", "p")->value(cpu, 0), 30);
  EXPECT_EQ(SampleWeight::choose(cpu, "samples", "p")->value(cpu, 0), 3);
  EXPECT_EQ(SampleWeight::choose(cpu, "wall", "p").error().message,
            "p: does not count wall, but samples/count, cpu/nanoseconds");
}

TEST(SampleWeight, CountsSamplesThatTheProfileCounts) {
  EXPECT_EQ(samples(profile({{"samples", "count"}, {"cpu", "nanoseconds"}}, {3, 30})), 3);
  EXPECT_EQ(samples(profile({{"contentions", "count"}, {"delay", "nanoseconds"}}, {5, 1000})), 5);
}

TEST(SampleWeight, CountsByThePeriodOfTheSameKind) {
  StackProfile heap = profile({{"alloc_objects", "count"},
                               {"alloc_space", "bytes"},
                               {"inuse_objects", "count"},
                               {"inuse_space", "bytes"}},
                              {1000, 80, 10, 40}, {"space", "bytes"}, 10);
  // 1000 small objects in 8 periods: 7.97 samples. 10 objects of 4 bytes: 10 (1 - e^-.4).
  EXPECT_NEAR(samples(heap, "alloc_space"), 7.968, .001);
  EXPECT_NEAR(samples(heap, "alloc_objects"), 7.968, .001);
  EXPECT_NEAR(samples(heap, "inuse_space"), 3.297, .001);
  // An object of many periods is one sample.
  EXPECT_NEAR(samples(profile({{"inuse_objects", "count"}, {"inuse_space", "bytes"}}, {1, 1000},
                              {"space", "bytes"}, 10)),
              1, .001);
}

TEST(SampleWeight, IsOneSampleWhereNothingTells) {
  EXPECT_EQ(samples(profile({{"wall", "nanoseconds"}}, {30})), 1);
  // Also where a value is less than one.
  EXPECT_EQ(samples(profile({{"cpu", "nanoseconds"}}, {3}, {"cpu", "nanoseconds"}, 10)), 1);
}

}  // namespace
}  // namespace pgo::sample_weight_test
