#include "pgo/stores/parca/merged_samples.h"

#include <gtest/gtest.h>

#include "pgo/profile/stack_selection.h"
#include "tests/data/small_stacks.h"

namespace pgo::merged_samples_test {
namespace {

using parca::ListedSamples;

// What becomes of these values, of which the server lists so many samples:
// "2 20000000, 1 10000000 by 10000000", and warnings.
std::string restored(const std::vector<int64_t>& values, int64_t listed,
                     const std::string& unit = "nanoseconds", const std::string& type = "cpu",
                     ListedSamples kind = ListedSamples::kAll) {
  std::vector<test::SmallSample> samples;
  for (const int64_t value : values)
    samples.push_back({.stack = {{"f" + std::to_string(samples.size())}}, .count = value});
  StackProfile profile = test::small_stacks(samples, type, unit);
  Diagnostics diagnostics;
  parca::restore_samples(profile, listed == 0 ? ListedSamples::kNone : kind, listed, "p",
                         diagnostics);
  profile.normalize();
  std::string text;
  for (size_t sample = 0; sample < profile.samples.size(); sample++) {
    text += sample == 0 ? "" : ", ";
    for (const int64_t value : profile.values_of(sample)) text += std::to_string(value) + " ";
  }
  text += "by " + std::to_string(profile.period);
  for (const auto& [warning, entry] : diagnostics.entries()) text += "; " + entry.messages[0];
  return text;
}

TEST(MergedSamples, AreTheListedNumber) {
  EXPECT_EQ(restored({20'000'000, 10'000'000}, 3), "2 20000000 , 1 10000000 by 10000000");
  // All numbers of samples are even: the divisor alone would be twice the period.
  EXPECT_EQ(restored({40'000'000, 20'000'000}, 6), "4 40000000 , 2 20000000 by 10000000");
  EXPECT_EQ(restored({2'000'006, 1'000'003}, 3, "count", "cycles"),
            "2 2000006 , 1 1000003 by 1000003");
}

TEST(MergedSamples, MayHaveBecomeMore) {
  EXPECT_EQ(restored({60'000'000, 50'000'000}, 10), "6 60000000 , 5 50000000 by 10000000");
}

TEST(MergedSamples, CountByTheMeanOfSeveralPeriods) {
  // 99 Hz and 100 Hz: the divisor is 1 ns.
  EXPECT_EQ(restored({10'101'011, 10'000'000}, 2),
            "1 10101011 , 1 10000000 by 10050506; p: Parca has merged profiles of several sampling "
            "periods; its 2 samples count by their mean, 10 050 506 nanoseconds");
  // 100 Hz and 250 Hz: with the divisor there would be 7 samples.
  EXPECT_EQ(restored({10'000'000, 4'000'000}, 2),
            "1 10000000 , 1 4000000 by 7000000; p: Parca has merged profiles of several sampling "
            "periods; its 2 samples count by their mean, 7 000 000 nanoseconds");
}

TEST(MergedSamples, MayBeListedInPart) {
  // Of two profiles of a second, one is listed.
  const auto of_some = [](const std::vector<int64_t>& values, int64_t listed) {
    return restored(values, listed, "nanoseconds", "cpu", ListedSamples::kSome);
  };
  EXPECT_EQ(of_some({60'000'000, 50'000'000}, 5), "6 60000000 , 5 50000000 by 10000000");
  EXPECT_EQ(of_some({40'000'000, 20'000'000}, 6), "4 40000000 , 2 20000000 by 10000000");
}

TEST(MergedSamples, AreNotKnownOfTime) {
  EXPECT_EQ(restored({20'000'000, 30'000'000}, 0), "20000000 , 30000000 by 10000000");
  EXPECT_EQ(restored({10'101'010, 10'000'000}, 0), "10101010 , 10000000 by 0");
  EXPECT_EQ(restored({200'000, 300'000}, 0, "count", "cycles"), "200000 , 300000 by 0");
  EXPECT_EQ(restored({2, 3}, 5, "count", "samples"), "2 , 3 by 0");
  EXPECT_EQ(restored({20, -10}, 1), "20 , -10 by 0");
}

}  // namespace
}  // namespace pgo::merged_samples_test
