#include "pgo/profile/stack_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

namespace pgo::stack_profile_test {
namespace {

std::string dump(const StackProfile& profile) {
  std::ostringstream out;
  profile.dump(out);
  return out.str();
}

// Puts a profile together from names, so that tests can do it in any order.
class Builder {
 public:
  Builder() {
    profile_.sample_types = {{add("samples"), add("count")}, {add("cpu"), add("nanoseconds")}};
    profile_.add_mapping({add("/bin/server"), add("c0ffee00c0ffee00"), RuntimeAddr{0x1000},
                          RuntimeAddr{0x9000}, FileOffset{}});
    profile_.add_mapping({add("/lib/libc.so"), add("00aa"), RuntimeAddr{0x10000},
                          RuntimeAddr{0x20000}, FileOffset{}});
  }
  StringId add(const std::string& text) { return profile_.strings.add(text); }
  LocationId at(uint64_t address, const std::string& name) {
    FunctionId function = profile_.add_function({add(name), add("_Z" + name), add("a.cc"), 7});
    return profile_.add_location({MappingId{address < 0x10000 ? 0u : 1u}, RuntimeAddr{address}},
                                 {{function, 12, 0}});
  }
  void sample(std::vector<LocationId> stack, const std::vector<StackLabel>& labels, int64_t value) {
    profile_.add_sample({profile_.add_stack(stack), profile_.add_labels(labels)},
                        {value, value * 10});
  }
  StackProfile& profile() { return profile_; }

 private:
  StackProfile profile_;
};

TEST(StackProfile, NormalizeMakesOneOfWhatIsEqual) {
  Builder builder;
  builder.profile().add_function({builder.add("unused")});
  builder.sample({builder.at(0x1100, "work"), builder.at(0x1200, "main")},
                 {{builder.add("tenant"), builder.add("b")}}, 2);
  builder.sample({builder.at(0x1100, "work"), builder.at(0x1200, "main")},
                 {{builder.add("tenant"), builder.add("b")}}, 3);
  builder.sample({builder.at(0x1050, "leaf")}, {{builder.add("bytes"), {}, builder.add("B"), 64}},
                 1);
  StackProfile profile = builder.profile();
  EXPECT_EQ(profile.check(), "the columns are not in canonical order");
  profile.normalize();
  EXPECT_EQ(profile.check(), std::nullopt);
  EXPECT_EQ(dump(profile),
            "types samples/count cpu/nanoseconds\n"
            "period 0 /\n"
            "time 0 duration 0\n"
            "mapping 1000 9000 0 /bin/server c0ffee00c0ffee00\n"
            "function leaf _Zleaf a.cc:7\n"
            "function main _Zmain a.cc:7\n"
            "function work _Zwork a.cc:7\n"
            "sample 1 10 bytes=64B\n"
            "    1050 in /bin/server: leaf:12\n"
            "sample 5 50 tenant=\"b\"\n"
            "    1100 in /bin/server: work:12\n"
            "    1200 in /bin/server: main:12\n");
  EXPECT_EQ(profile.build_id_of(profile.mappings[0]).hex(), "c0ffee00c0ffee00");
}

// Whatever the order in which things came, and their numbers.
TEST(StackProfile, NormalizeDoesNotSeeTheOrder) {
  std::vector<int> order{0, 1, 2, 3, 4, 5, 6, 7};
  std::optional<StackProfile> first;
  std::mt19937 random(5);
  for (int round = 0; round < 20; round++) {
    Builder builder;
    for (int i : order)
      builder.sample({builder.at(0x1000 + 16u * static_cast<unsigned>(i % 5), "f"),
                      builder.at(0x10010, "start")},
                     {{builder.add("n"), {}, {}, i % 2}, {builder.add("k"), builder.add("v")}}, i);
    StackProfile profile = builder.profile();
    profile.normalize();
    EXPECT_EQ(profile.check(), std::nullopt);
    if (!first) first = profile;
    EXPECT_EQ(profile, *first) << dump(profile) << dump(*first);
    std::shuffle(order.begin(), order.end(), random);
  }
}

TEST(StackProfile, NormalizeKeepsTheMainBinaryFirst) {
  StackProfile profile;
  for (const char* name : {"z", "b", "a"}) profile.add_mapping({profile.strings.add(name)});
  profile.sample_types = {{}};
  for (uint32_t i : {1u, 2u})
    profile.add_sample(
        {profile.add_stack({profile.add_location({MappingId{i}}, {})}), profile.add_labels({})},
        {1});
  profile.normalize();
  std::string names;
  for (const StackMapping& mapping : profile.mappings) names += profile.text(mapping.filename);
  EXPECT_EQ(names, "zab");
}

TEST(StackProfile, ValuesStopAtTheLargestNumber) {
  StackProfile profile;
  profile.sample_types = {{}, {}};
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < 3; i++)
    profile.add_sample({profile.add_stack({}), profile.add_labels({})}, {kMax, i - 2});
  profile.normalize();
  EXPECT_EQ(profile.values, (std::vector<int64_t>{kMax, -3}));
}

TEST(StackProfile, LabelsOfOneKeyKeepTheirOrder) {
  StackProfile profile;
  profile.sample_types = {{}};
  StringId k = profile.strings.add("k"), b = profile.strings.add("b"), a = profile.strings.add("a");
  profile.add_sample(
      {profile.add_stack({}),
       profile.add_labels({{k, {}, {}, 5}, {k, b, {}, 0}, {a, a, {}, 0}, {k, a, {}, 0}})},
      {1});
  profile.normalize();
  EXPECT_EQ(dump(profile),
            "types /\nperiod 0 /\ntime 0 duration 0\nsample 1 a=\"a\" k=\"b\" k=\"a\" k=5\n");
}

TEST(StackProfile, CheckFindsWhatIsNotThere) {
  StackProfile profile;
  profile.sample_types = {{}};
  profile.add_sample({StackId{3}, LabelsId{0}}, {1});
  EXPECT_EQ(profile.check(), "a sample's stack or labels are not there");
  profile.samples.clear();
  EXPECT_EQ(profile.check(), "there is not one value for each sample and sample type");
  profile.values.clear();
  profile.add_stack({LocationId{9}});
  EXPECT_EQ(profile.check(), "a stack's location is not there");
}

}  // namespace
}  // namespace pgo::stack_profile_test
