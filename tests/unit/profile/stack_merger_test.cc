#include "pgo/profile/stack_merger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <sstream>

namespace pgo::stack_merger_test {
namespace {

std::string dump(const StackProfile& profile) {
  std::ostringstream out;
  profile.dump(out);
  return out.str();
}

// A profile of one process: its binary at `base`, some stacks chosen by chance from few functions.
StackProfile made_up(unsigned seed, uint64_t base) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return static_cast<uint32_t>(random() % n); };
  StackProfile profile;
  auto text = [&](const std::string& name) { return profile.strings.add(name); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  profile.period_type = profile.sample_types[1];
  profile.period = 10 + below(3);
  profile.time = below(2) == 0 ? 0 : 1000 + below(100);
  profile.duration = below(60);
  profile.comments = {text("host" + std::to_string(below(3)))};
  profile.doc_url = below(2) == 0 ? kEmptyString : text("url" + std::to_string(below(3)));
  profile.drop_frames = below(2) == 0 ? kEmptyString : text("drop" + std::to_string(below(3)));
  for (int i = 0; i < 2; i++)
    profile.add_mapping(
        {text(i == 0 ? "/bin/server" + std::to_string(below(2)) : "/lib/libc.so"),
         text(i == 0 ? "c0ffee" : ""), RuntimeAddr{base + static_cast<uint64_t>(i) * 0x10000u},
         RuntimeAddr{base + static_cast<uint64_t>(i) * 0x10000u + 0x4000 - below(0x800)},
         FileOffset{0}, below(2) == 0});
  std::vector<LocationId> locations;
  for (unsigned i = 0; i < 6; i++) {
    FunctionId function = profile.add_function({text("f" + std::to_string(i / 2))});
    uint64_t bias = i < 4 ? base : 0;  // addresses of the process, and of the file
    locations.push_back(
        profile.add_location({MappingId{i % 2}, RuntimeAddr{bias + i % 2 * 0x10000 + i}},
                             {{function, static_cast<int64_t>(i), 0}}));
  }
  for (int i = 0; i < 20; i++) {
    std::vector<LocationId> stack;
    for (unsigned frame = 0; frame < below(4); frame++) stack.push_back(locations[below(6)]);
    std::vector<StackLabel> labels;
    if (below(3) == 0) labels.push_back({text("k"), text("v" + std::to_string(below(2)))});
    int64_t count = static_cast<int64_t>(below(5)) - 1;
    profile.add_sample({profile.add_stack(stack), profile.add_labels(labels)}, {count, count * 10});
  }
  return profile;
}

StackProfile merged(const std::vector<StackProfile>& profiles) {
  StackMerger merger;
  for (const StackProfile& profile : profiles) {
    Result<void> done = merger.add(profile, "p");
    EXPECT_TRUE(done.has_value()) << done.error().message;
  }
  Diagnostics diagnostics;
  StackProfile result = std::move(merger).finish(diagnostics);
  EXPECT_EQ(diagnostics, Diagnostics());
  EXPECT_EQ(result.check(), std::nullopt);
  return result;
}

std::vector<StackProfile> some_profiles(unsigned seed, unsigned count) {
  std::vector<StackProfile> profiles;
  for (unsigned i = 0; i < count; i++)
    profiles.push_back(made_up(seed * 100 + i, 0x1000000 * (1 + (seed + i * 7) % 5)));
  return profiles;
}

TEST(StackMerger, AddsUpWhatIsTheSameAtOtherAddresses) {
  StackProfile profile;
  auto text = [&](const char* name) { return profile.strings.add(name); };
  profile.sample_types = {{text("samples"), text("count")}};
  profile.add_mapping({text("/bin/a"), text("c0ffee"), RuntimeAddr{0x5000}, RuntimeAddr{0x5f00},
                       FileOffset{0x1000}, true});
  FunctionId work = profile.add_function({text("work")});
  LocationId location = profile.add_location({MappingId{0}, RuntimeAddr{0x5010}}, {{work, 3, 0}});
  profile.add_sample({profile.add_stack({location}), profile.add_labels({})}, {2});
  StackProfile moved = profile;
  moved.mappings[0].begin = RuntimeAddr{0x3000};
  moved.mappings[0].end = RuntimeAddr{0x3fff};
  moved.mappings[0].has_functions = false;
  moved.locations[0].address = RuntimeAddr{0x3010};
  EXPECT_EQ(dump(merged({profile, moved})),
            "types samples/count\n"
            "period 0 /\n"
            "time 0 duration 0\n"
            "mapping 3000 3fff 1000 /bin/a c0ffee\n"
            "function work  :0\n"
            "sample 4\n"
            "    3010 in /bin/a: work:3\n");
}

// As agents that use eBPF have them, beside the mapping of the process.
TEST(StackMerger, AddressesOfTheFileStayAsTheyAre) {
  StackProfile profile;
  auto text = [&](const char* name) { return profile.strings.add(name); };
  profile.sample_types = {{text("samples"), text("count")}};
  profile.add_mapping({text("/bin/a"), text("c0ffee"), RuntimeAddr{0x55000}, RuntimeAddr{0x56000},
                       FileOffset{0x1000}});
  LabelsId none = profile.add_labels({});
  auto sample = [&](RuntimeAddr address, int64_t count) {
    profile.add_sample(
        {profile.add_stack({profile.add_location({MappingId{0}, address}, {})}), none}, {count});
  };
  sample(RuntimeAddr{0x1010}, 2);
  sample(RuntimeAddr{0x55010}, 5);
  // An own address that another process has its mapping at.
  sample(RuntimeAddr{0x53020}, 1);
  StackProfile moved = profile, unplaced = profile;
  moved.mappings[0].begin = RuntimeAddr{0x53000}, moved.mappings[0].end = RuntimeAddr{0x54000};
  moved.locations[1].address = RuntimeAddr{0x53010};
  moved.samples.pop_back(), moved.values.pop_back();
  unplaced.mappings[0].begin = RuntimeAddr{0}, unplaced.mappings[0].end = RuntimeAddr{0x1000};
  unplaced.samples.resize(1), unplaced.values.resize(1);
  const char* expected =
      "types samples/count\n"
      "period 0 /\n"
      "time 0 duration 0\n"
      "mapping 53000 54000 1000 /bin/a c0ffee\n"
      "sample 6\n"
      "    1010 in /bin/a\n"
      "sample 10\n"
      "    53010 in /bin/a\n"
      "sample 1\n"
      "    53020 in /bin/a\n";
  EXPECT_EQ(dump(merged({profile, moved, unplaced})), expected);
  EXPECT_EQ(dump(merged({unplaced, moved, profile})), expected);
  StackMerger first, second;
  Diagnostics diagnostics;
  (void)first.add(unplaced, "p"), (void)second.add(moved, "p"), (void)second.add(profile, "p");
  ASSERT_TRUE(first.add(std::move(second)).has_value());
  EXPECT_EQ(dump(std::move(first).finish(diagnostics)), expected);
}

TEST(StackMerger, HeadersByRulesWithoutAnOrder) {
  StackProfile a, b;
  for (StackProfile* profile : {&a, &b})
    profile->sample_types = {{profile->strings.add("samples")}};
  a.time = 50, b.time = 20, a.duration = 3, b.duration = 4, a.period = 9, b.period = 8;
  a.comments = {a.strings.add("z")}, b.comments = {b.strings.add("y"), b.strings.add("z")};
  a.doc_url = a.strings.add("u"), b.doc_url = b.strings.add("t");
  b.keep_frames = b.strings.add("keep");
  StackProfile c = b;
  c.time = 0;
  EXPECT_EQ(dump(merged({a, b, c})),
            "types samples/\nperiod 9 /\ntime 20 duration 11\ncomment y\ncomment z\nurl t\nkeep "
            "keep\n");
  EXPECT_EQ(merged({a, b, c}), merged({c, b, a}));
}

TEST(StackMerger, TheMainBinaryIsOneThatWasAndNoPieceOfTheKernel) {
  std::vector<StackProfile> profiles;
  for (const char* name : {"[vdso]", "/bin/b", "/bin/a"}) {
    StackProfile profile;
    profile.sample_types = {{profile.strings.add("samples")}};
    profile.add_mapping({profile.strings.add(name)});
    profile.add_mapping({profile.strings.add("/bin/0")});
    profile.add_sample(
        {profile.add_stack({profile.add_location({MappingId{0}, RuntimeAddr{1}}, {}),
                            profile.add_location({MappingId{1}, RuntimeAddr{1}}, {})}),
         profile.add_labels({})},
        {1});
    profiles.push_back(profile);
  }
  std::string names;
  StackProfile result = merged(profiles);
  for (const StackMapping& mapping : result.mappings)
    names += std::string(result.text(mapping.filename)) + " ";
  EXPECT_EQ(names, "/bin/a /bin/0 /bin/b [vdso] ");
}

TEST(StackMerger, IsCommutativeAndAssociative) {
  for (unsigned seed = 0; seed < 40; seed++) {
    std::vector<StackProfile> profiles = some_profiles(seed, 6);
    StackProfile whole = merged(profiles);
    std::mt19937 random(seed);
    std::shuffle(profiles.begin(), profiles.end(), random);
    EXPECT_EQ(merged(profiles), whole) << seed;
    size_t cut = 1 + seed % 5;
    std::vector<StackProfile> first(profiles.begin(),
                                    profiles.begin() + static_cast<std::ptrdiff_t>(cut));
    std::vector<StackProfile> second(profiles.begin() + static_cast<std::ptrdiff_t>(cut),
                                     profiles.end());
    EXPECT_EQ(merged({merged(first), merged(second)}), whole) << seed;
    StackMerger left, right;
    for (const StackProfile& profile : first) (void)left.add(profile, "p");
    for (const StackProfile& profile : second) (void)right.add(profile, "p");
    ASSERT_TRUE(left.add(std::move(right)).has_value());
    EXPECT_EQ(left.profiles(), profiles.size());
    Diagnostics diagnostics;
    EXPECT_EQ(std::move(left).finish(diagnostics), whole) << seed;
  }
}

TEST(StackMerger, ProfilesThatCountNothingChangeNoSample) {
  std::vector<StackProfile> profiles = some_profiles(3, 3);
  StackProfile whole = merged(profiles);
  StackProfile empty = made_up(7, 0x1000000);
  std::fill(empty.values.begin(), empty.values.end(), 0);
  profiles.push_back(empty);
  StackProfile with_empty = merged(profiles);
  EXPECT_EQ(with_empty.values, whole.values);
  EXPECT_EQ(with_empty.stacks, whole.stacks);
  // One that has nothing at all, not even a header, changes nothing at all.
  StackProfile nothing;
  for (StringId id : {whole.period_type.type, whole.period_type.unit})
    nothing.strings.add(whole.text(id));
  nothing.period_type = {StringId{1}, StringId{2}};
  nothing.strings.add("samples"), nothing.strings.add("count");
  nothing.sample_types = {{StringId{3}, StringId{4}}, nothing.period_type};
  EXPECT_EQ(merged({whole, nothing}), whole);
}

TEST(StackMerger, ConservesTotals) {
  std::vector<StackProfile> profiles = some_profiles(11, 5);
  int64_t before = 0, after = 0;
  for (const StackProfile& profile : profiles)
    for (int64_t value : profile.values) before += value;
  for (int64_t value : merged(profiles).values) after += value;
  EXPECT_EQ(after, before);
}

TEST(StackMerger, SamplesThatCancelOutAreLeftOut) {
  StackProfile plus;
  plus.sample_types = {{}};
  plus.add_sample({plus.add_stack({}), plus.add_labels({})}, {5});
  StackProfile minus = plus;
  minus.values = {-5};
  EXPECT_EQ(merged({plus, minus}).samples.size(), 0u);
}

struct Weighted {
  std::vector<int64_t> values;
  std::string warning;
};

Weighted merge_times(const std::vector<int64_t>& values, MergeFactor factor, int times) {
  StackProfile profile;
  profile.sample_types.resize(values.size());
  profile.add_sample({profile.add_stack({}), profile.add_labels({})}, values);
  StackMerger merger;
  for (int i = 0; i < times; i++) (void)merger.add(profile, "p", std::span(&factor, 1));
  Diagnostics diagnostics;
  Weighted result{std::move(merger).finish(diagnostics).values, ""};
  for (const auto& [kind, entry] : diagnostics.entries())
    result.warning += kind + ": " + entry.messages[0];
  return result;
}

std::vector<int64_t> weighted(const std::vector<int64_t>& values, MergeFactor factor, int times) {
  return merge_times(values, factor, times).values;
}

TEST(StackMerger, RoundsOnceHalvesAwayFromZero) {
  using Values = std::vector<int64_t>;
  EXPECT_EQ(weighted({1, 3, -1, 10}, MergeFactor::of(3, 2), 1), (Values{2, 5, -2, 15}));
  EXPECT_EQ(weighted({1, 2, 4}, MergeFactor::of(1, 3), 1), (Values{0, 1, 1}));
  // Three thirds are one, and a thousand thousandths.
  EXPECT_EQ(weighted({1}, MergeFactor::of(1, 3), 3), Values{1});
  EXPECT_EQ(weighted({1}, MergeFactor::of(1, 1000), 1000), Values{1});
}

TEST(StackMerger, ValuesStopAtTheLargestNumber) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(weighted({kMax, kLeast}, {}, 3), (std::vector<int64_t>{kMax, kLeast}));
  EXPECT_EQ(weighted({kMax, kLeast}, MergeFactor::of(1 << 29, 1), 9),
            (std::vector<int64_t>{kMax, kLeast}));
  EXPECT_EQ(weighted({kMax, kLeast}, {}, 1), (std::vector<int64_t>{kMax, kLeast}));
}

TEST(StackMerger, SaysHowManyValuesStop) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(merge_times({kMax, kLeast, 1}, {}, 1).warning, "");
  EXPECT_EQ(merge_times({kMax, kLeast, 1}, {}, 2).warning,
            "stopped-counts: 2 values of the merged samples do not fit 64 bits: the limits are "
            "9223372036854775807 and -9223372036854775808");
  EXPECT_EQ(merge_times({kMax, 1}, {}, 2).warning,
            "stopped-counts: 1 value of the merged samples does not fit 64 bits: the limits are "
            "9223372036854775807 and -9223372036854775808");
}

TEST(StackMerger, KeepsDropsAndRenamesLabels) {
  StackProfile profile;
  profile.sample_types = {{}};
  auto text = [&](const char* name) { return profile.strings.add(name); };
  for (const char* host : {"a", "b"})
    profile.add_sample({profile.add_stack({}), profile.add_labels({{text("host"), text(host)},
                                                                   {text("tenant"), text("t")}})},
                       {1});
  auto with = [&](const LabelRules& rules) {
    StackMerger merger;
    (void)merger.add(profile, "p", {}, rules);
    Diagnostics diagnostics;
    std::string all = dump(std::move(merger).finish(diagnostics));
    return all.substr(all.find("sample "));
  };
  EXPECT_EQ(with({}), "sample 1 host=\"a\" tenant=\"t\"\nsample 1 host=\"b\" tenant=\"t\"\n");
  LabelRules rules;
  rules.dropped = {"host"};
  EXPECT_EQ(with(rules), "sample 2 tenant=\"t\"\n");
  rules.renamed = {{"tenant", "customer"}};
  EXPECT_EQ(with(rules), "sample 2 customer=\"t\"\n");
  rules = {};
  rules.kept = {"host"};
  EXPECT_EQ(with(rules), "sample 1 host=\"a\"\nsample 1 host=\"b\"\n");
  rules.dropped = {"*"};
  EXPECT_EQ(with(rules), "sample 2\n");
}

TEST(StackMerger, RefusesWhatCountsSomethingElse) {
  StackProfile cpu = made_up(1, 0x1000), heap = cpu;
  heap.sample_types = {{heap.strings.add("inuse_space"), heap.strings.add("bytes")}};
  StackMerger merger;
  ASSERT_TRUE(merger.add(cpu, "cpu.pb").has_value());
  EXPECT_EQ(merger.add(heap, "heap.pb").error(),
            (Error{ErrorKind::kMismatch,
                   "heap.pb: counts inuse_space/bytes by a period of cpu/nanoseconds, but cpu.pb "
                   "counts samples/count, cpu/nanoseconds by a period of cpu/nanoseconds; "
                   "\xFF{sample-type} chooses one that both have"}));
}

}  // namespace
}  // namespace pgo::stack_merger_test
