#include "pgo/diff/merged_difference.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace pgo::merged_difference_test {
namespace {

struct Type {
  const char *type, *unit;
};
constexpr Type kSamples{"samples", "count"}, kCpu{"cpu", "nanoseconds"},
    kWall{"wall", "nanoseconds"};

// One sample of a function at address 0x10, on a host.
StackProfile profile(const std::vector<Type>& types, const std::vector<int64_t>& values,
                     Type period = {"", ""}) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  for (const Type& type : types) profile.sample_types.push_back({text(type.type), text(type.unit)});
  profile.period_type = {text(period.type), text(period.unit)};
  profile.period = period.type[0] == '\0' ? 0 : 10;
  FunctionId f = profile.add_function({.name = text("f")});
  LocationId place = profile.add_location({kNoMapping, RuntimeAddr{0x10}}, {{f, 1, 0}});
  LabelsId labels = profile.add_labels({{.key = text("host"), .text = text("web-1")}});
  profile.add_sample({profile.add_stack({place}), labels}, values);
  profile.normalize();
  return profile;
}

struct Given {
  size_t side;
  StackProfile profile;
};

// The dump of what is written, without what stacks are; then warnings.
std::string merged(const std::vector<Given>& profiles, const std::string& compared) {
  MergedDifference difference;
  for (const Given& one : profiles) EXPECT_TRUE(difference.add(one.profile, one.side, "p"));
  Diagnostics diagnostics;
  Result<StackProfile> result = std::move(difference).finish(compared, diagnostics);
  if (!result) return result.error().message;
  EXPECT_EQ(result->check(), std::nullopt);
  std::ostringstream dump;
  result->dump(dump);
  std::istringstream lines(dump.str());
  std::string text, line;
  while (std::getline(lines, line))
    if (line.starts_with("types") || line.starts_with("period") || line.starts_with("sample") ||
        line.starts_with("default"))
      text += line + "\n";
  for (const auto& [kind, entry] : diagnostics.entries())
    for (const std::string& message : entry.messages) text += message + "\n";
  return text;
}

TEST(MergedDifference, HasBothSidesOfAStack) {
  const StackProfile before = profile({kSamples, kCpu}, {3, 30}, kCpu),
                     after = profile({kSamples, kCpu}, {5, 50}, kCpu);
  const std::string expected =
      "types samples/count cpu/nanoseconds\n"
      "period 10 cpu/nanoseconds\n"
      "sample 5 50 host=\"web-1\"\n"
      "sample -6 -60 host=\"web-1\" pprof::base=\"true\"\n";
  EXPECT_EQ(merged({{0, before}, {0, before}, {1, after}}, "cpu/nanoseconds"), expected);
  EXPECT_EQ(merged({{1, after}, {0, before}, {0, before}}, "cpu/nanoseconds"), expected);
}

TEST(MergedDifference, IsKnownByItsLabel) {
  StackProfile plain = profile({kSamples}, {3});
  EXPECT_FALSE(is_difference(plain));
  MergedDifference difference;
  EXPECT_TRUE(difference.add(plain, 0, "before"));
  Diagnostics diagnostics;
  StackProfile base = *std::move(difference).finish("samples/count", diagnostics);
  EXPECT_TRUE(is_difference(base));
  EXPECT_TRUE(MergedDifference::is_base(base, base.samples[0].labels));
}

TEST(MergedDifference, NegatesTheLeastNumberWithoutWrapping) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(),
                    kMost = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> values{kLeast, kLeast + 1, 0, 5, kMost};
  MergedDifference::negate(values);
  EXPECT_EQ(values, (std::vector<int64_t>{kMost, kMost, 0, -5, -kMost}));
}

// An agent that also counts the time that passed, and folded stacks.
TEST(MergedDifference, LeavesWhatAllProfilesCount) {
  const std::string of_cpu =
      "types samples/count cpu/nanoseconds\n"
      "period 10 cpu/nanoseconds\n"
      "default cpu\n"
      "sample 5 50 host=\"web-1\"\n"
      "sample -3 -30 host=\"web-1\" pprof::base=\"true\"\n"
      "the merged difference leaves out wall/nanoseconds, which not all profiles count\n";
  EXPECT_EQ(merged({{0, profile({kSamples, kCpu}, {3, 30}, kCpu)},
                    {1, profile({kSamples, kCpu, kWall}, {5, 50, 500}, kCpu)}},
                   "cpu/nanoseconds"),
            of_cpu);
  EXPECT_EQ(merged({{0, profile({kSamples, kCpu}, {3, 30}, kCpu)}, {1, profile({kSamples}, {5})}},
                   "samples/count"),
            "types samples/count\n"
            "period 0 /\n"
            "default samples\n"
            "sample 5 host=\"web-1\"\n"
            "sample -3 host=\"web-1\" pprof::base=\"true\"\n"
            "the merged difference leaves out cpu/nanoseconds, which not all profiles count\n");
}

TEST(MergedDifference, HasColumnsInOneOrder) {
  EXPECT_EQ(merged({{0, profile({kSamples, kCpu}, {3, 30}, kCpu)},
                    {1, profile({kCpu, kSamples}, {50, 5}, kCpu)}},
                   "samples/count"),
            "types cpu/nanoseconds samples/count\n"
            "period 10 cpu/nanoseconds\n"
            "default samples\n"
            "sample 50 5 host=\"web-1\"\n"
            "sample -30 -3 host=\"web-1\" pprof::base=\"true\"\n");
}

}  // namespace
}  // namespace pgo::merged_difference_test
