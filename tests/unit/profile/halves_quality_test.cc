#include "pgo/profile/halves_quality.h"

#include <gtest/gtest.h>

namespace pgo::halves_quality_test {
namespace {

// SQLite's recordings of docs/measurements/single-steps.md.
TEST(HalvesQuality, JudgesStepsAndTheProcessorsRecordsAlike) {
  EXPECT_EQ(quality_of_halves(.851, 49'614), Quality::kFair);  // 6 165 samples by steps
  EXPECT_EQ(quality_of_halves(.874, 51'455), Quality::kFair);  // 1 706 of the processor's kind
  EXPECT_EQ(quality_of_halves(.738, 12'335), Quality::kThin);
  EXPECT_EQ(quality_of_halves(.774, 13'607), Quality::kThin);
  EXPECT_EQ(quality_of_halves(.606, 4'903), Quality::kWeak);
  EXPECT_EQ(quality_of_halves(.637, 3'512), Quality::kWeak);
}

TEST(HalvesQuality, FewRecordsAreWeakHoweverTheyAgree) {
  EXPECT_EQ(quality_of_halves(.99, 9'999), Quality::kWeak);
  EXPECT_EQ(quality_of_halves(.99, 10'000), Quality::kFair);
  EXPECT_EQ(quality_of_halves(std::nullopt, 10'000), Quality::kWeak);
}

// Two binaries together have enough records; what BOLT reads otherwise than LLVM is not counted.
TEST(HalvesQuality, CountsTheRecordsOfAllBinaries) {
  const Trace often{ElfAddr{8}, ElfAddr{16}, ElfAddr{24}, TraceReading::kBoth, 6'000};
  Trace of_bolt = often;
  of_bolt.reading = TraceReading::kBolt;
  std::vector<BinaryCounts> binaries(2);
  binaries[0].traces = {often, of_bolt};
  binaries[1].traces = {often};
  const HalvesOfRecords all = judge_halves(binaries), one = judge_halves({&binaries[0], 1});
  EXPECT_EQ(all.quality, Quality::kFair);
  EXPECT_GT(all.overlap.value(), .9);
  EXPECT_EQ(one.quality, Quality::kWeak);
  EXPECT_GT(one.overlap.value(), .9);
  EXPECT_EQ(judge_halves({}).overlap, std::nullopt);
}

TEST(HalvesQuality, TheBetterOfBothCounts) {
  EXPECT_EQ(quality_of_branch_records(.6, Quality::kFair), Quality::kFair);
  EXPECT_EQ(quality_of_branch_records(2, Quality::kWeak), Quality::kThin);
  EXPECT_EQ(quality_of_branch_records(50, Quality::kFair), Quality::kGood);
  EXPECT_EQ(quality_of_branch_records(0, Quality::kFair), Quality::kUnknown);
}

}  // namespace
}  // namespace pgo::halves_quality_test
