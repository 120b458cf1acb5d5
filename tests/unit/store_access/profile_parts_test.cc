#include "pgo/store_access/profile_parts.h"

#include <gtest/gtest.h>

#include "converters/pprof/pprof_reader.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/text_bytes.h"
#include "pgo/profile/stack_merger.h"
#include "pgo/store_access/profile_type.h"
#include "tests/data/small_stacks.h"

namespace pgo::profile_parts_test {
namespace {

using store_access::pprof_parts;
using test::small_stacks;

// Of as many functions.
StackProfile stacks(int samples) {
  std::vector<test::SmallSample> made;
  for (int i = 0; i < samples; i++)
    made.push_back({.stack = {{"f" + std::to_string(i)}, {"main"}}, .count = i + 1});
  StackProfile profile = small_stacks(made);
  profile.time = 5'000'000;
  return profile;
}

StackProfile parsed(const std::string& message) {
  Diagnostics diagnostics;
  return parse_pprof(as_bytes(message), "part", diagnostics).value();
}

TEST(ProfileParts, AreOneWhereThatIsEnough) {
  const StackProfile profile = stacks(7);
  EXPECT_EQ(pprof_parts(profile, {.samples = 7}, "p").value(),
            std::vector<std::string>{write_pprof(profile)});
}

// All samples are in the parts, each once, and times differ.
void check_parts(const StackProfile& profile, const store_access::PartLimits& limits,
                 size_t expected) {
  const std::vector<std::string> parts = pprof_parts(profile, limits, "p").value();
  EXPECT_EQ(parts.size(), expected);
  StackMerger merger;
  for (size_t i = 0; i < parts.size(); i++) {
    EXPECT_LE(parts[i].size(), limits.bytes);
    StackProfile part = parsed(parts[i]);
    EXPECT_LE(part.samples.size(), limits.samples);
    EXPECT_EQ(part.time, profile.time + static_cast<int64_t>(i) * 1'000'000);
    ASSERT_TRUE(merger.add(part, "part"));
  }
  Diagnostics diagnostics;
  StackProfile merged = std::move(merger).finish(diagnostics);
  EXPECT_EQ(merged, profile);
}

TEST(ProfileParts, HaveNoMoreSamples) {
  check_parts(stacks(7), {.samples = 3}, 3);
  check_parts(stacks(6), {.samples = 3}, 2);
}

TEST(ProfileParts, HaveNoMoreBytes) {
  const StackProfile profile = stacks(64);
  check_parts(profile, {.bytes = write_pprof(profile).size() - 1}, 2);
  const Result<std::vector<std::string>> refused = pprof_parts(profile, {.bytes = 20}, "p");
  EXPECT_EQ(refused.error().message,
            "p: a single sample takes more than 20 bytes, which the store refuses");
}

TEST(ProfileName, SaysWhatIsCounted) {
  const auto name = [](const char* type) {
    return store_access::profile_name_of(small_stacks({{.stack = {{"main"}}}}, type, "unit"));
  };
  EXPECT_EQ(name("samples"), "process_cpu");
  EXPECT_EQ(name("cpu"), "process_cpu");
  EXPECT_EQ(name("alloc_space"), "memory");
  EXPECT_EQ(name("contentions"), "mutex");
  EXPECT_EQ(name("page-faults"), "page-faults");
}

}  // namespace
}  // namespace pgo::profile_parts_test
