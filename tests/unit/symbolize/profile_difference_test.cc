#include "pgo/symbolize/profile_difference.h"

#include <gtest/gtest.h>

#include "converters/llvm_sample/llvm_sample_reader.h"

namespace pgo::profile_difference_test {
namespace {

SourceProfile profile_of(std::string_view text) {
  Result<LlvmSampleFile> file =
      read_llvm_sample({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "text");
  EXPECT_TRUE(file.has_value()) << file.error().message;
  return std::move(file->profile);
}

// One difference per line: "function place first second".
std::string differences(std::string_view first, std::string_view second) {
  ProfileDifference found = find_differences(profile_of(first), profile_of(second));
  std::string text;
  auto count = [](std::optional<uint64_t> value) { return value ? std::to_string(*value) : "-"; };
  for (const CountDifference& difference : found.differences)
    text += difference.function + " " + difference.place + " " + count(difference.first) + " " +
            count(difference.second) + "\n";
  EXPECT_EQ(found.identical(), text.empty());
  return text;
}

constexpr std::string_view kProfile =
    "main:1000:1\n 1: 10\n 2.3: 20 f:15 g:5\n 4: h:300\n  1: 300\nf:70:5\n 0: 7\n";

TEST(ProfileDifference, ProbesOfOtherCode) {
  constexpr std::string_view kProbes =
      "f:9:5\n 1: 9\n 2: g:4\n  1: 4\n  !CFGChecksum: 7\n !CFGChecksum: 8\n";
  EXPECT_EQ(differences(kProbes, kProbes), "");
  EXPECT_EQ(
      differences(kProbes,
                  "f:9:5\n 1: 9\n 2: g:4\n  1: 4\n  !CFGChecksum: 7\n !CFGChecksum: 4294967295\n"),
      "f checksum 8 4294967295\n");
  EXPECT_EQ(differences("f:9:5\n 2: g:4\n  1: 4\n  !CFGChecksum: 7\n !CFGChecksum: 8\n",
                        "f:9:5\n 2: g:4\n  1: 4\n  !CFGChecksum: 6\n !CFGChecksum: 8\n"),
            "f 2 > g > checksum 7 6\n");
  ProfileDifference mixed = find_differences(profile_of("f:9:5\n 1: 9\n !CFGChecksum: 8\n"),
                                             profile_of("f:9:5\n 1: 9\n"));
  EXPECT_TRUE(mixed.probes_differ);
  EXPECT_FALSE(mixed.identical());
}

TEST(ProfileDifference, IdenticalProfiles) {
  EXPECT_EQ(differences(kProfile, kProfile), "");
  ProfileDifference same = find_differences(profile_of(kProfile), profile_of(kProfile));
  EXPECT_EQ(same.functions, 2u);
  EXPECT_EQ(same.different_functions, 0u);
  // Two totals, two heads, h's total, four lines, two calls.
  EXPECT_EQ(same.counts, 11u);
}

TEST(ProfileDifference, EveryKindOfCountLargestFirst) {
  EXPECT_EQ(differences(kProfile,
                        "main:1001:3\n 1: 10\n 2: 2\n 2.3: 20 f:11 i:5\n 4: h:301\n  1: 350\n"
                        "f:70:5\n 0: 7\n"),
            "main 4 > h > 1 300 350\n"
            "main 2.3 calls g 5 -\n"
            "main 2.3 calls i - 5\n"
            "main 2.3 calls f 15 11\n"
            "main 2 - 2\n"
            "main head 1 3\n"
            "main 4 > h > total 300 301\n"
            "main total 1000 1001\n");
}

TEST(ProfileDifference, WhatOneProfileHasNotIsOneDifference) {
  EXPECT_EQ(differences(kProfile, "f:70:5\n 0: 7\n"), "main total 1000 -\n");
  EXPECT_EQ(differences("f:70:5\n 0: 7\n", kProfile), "main total - 1000\n");
  EXPECT_EQ(differences(kProfile, "main:1000:1\n 1: 10\n 2.3: 20 f:15 g:5\nf:70:5\n 0: 7\n"),
            "main 4 > h > total 300 -\n");
  // A zero is not nothing.
  EXPECT_EQ(differences("f:7:0\n 0: 7\n", "f:7:0\n 0: 7\n 1: 0\n"), "f 1 - 0\n");
}

TEST(ProfileDifference, FlowSensitivity) {
  SourceProfile first = profile_of(kProfile), second = profile_of(kProfile);
  second.is_flow_sensitive = true;
  EXPECT_FALSE(find_differences(first, second).identical());
}

}  // namespace
}  // namespace pgo::profile_difference_test
