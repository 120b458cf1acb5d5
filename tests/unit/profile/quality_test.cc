#include "pgo/profile/quality.h"

#include <gtest/gtest.h>

#include "pgo/profile/address_profile.h"

namespace pgo::quality_test {
namespace {

TEST(Quality, DensityJudgesBranchRecords) {
  EXPECT_EQ(quality_of_density(0), Quality::kUnknown);
  EXPECT_EQ(quality_of_density(1.9), Quality::kWeak);
  EXPECT_EQ(quality_of_density(2), Quality::kThin);
  EXPECT_EQ(quality_of_density(10), Quality::kFair);
  EXPECT_EQ(quality_of_density(50), Quality::kGood);
}

TEST(Quality, TheirNumberJudgesPcSamples) {
  EXPECT_EQ(quality_of_pc_samples(1'999), Quality::kWeak);
  EXPECT_EQ(quality_of_pc_samples(2'000), Quality::kThin);
  EXPECT_EQ(quality_of_pc_samples(10'000), Quality::kFair);
  EXPECT_EQ(quality_of_pc_samples(100'000), Quality::kGood);
}

TEST(Quality, BetterOnesAreLarger) {
  EXPECT_LT(Quality::kUnknown, Quality::kWeak);
  EXPECT_LT(Quality::kThin, Quality::kFair);
  EXPECT_LT(Quality::kFair, Quality::kGood);
}

TEST(Quality, RecordsOfAnEmulatorAndOfStepsAreSoftwareBranchRecords) {
  const EventInfo stepped{std::string(kSteppedEvent), 10, 10'000'000, false};
  const EventInfo emulated{std::string(kEmulatedEvent), 10, 1009, false};
  const EventInfo taken{"br_inst_retired.near_taken:upp", 10, 500'009, false};
  const EventInfo idle{"cycles:u", 0, 2'000'003, false};
  const EventInfo clock{"cpu-clock:u", 10, 250'007, false};
  EXPECT_EQ(evidence_of_branches({emulated}), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(evidence_of_branches({idle, emulated}), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(evidence_of_branches({stepped}), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(evidence_of_branches({emulated, stepped}), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(evidence_of_branches({stepped, taken}), Evidence::kBranchRecords);
  EXPECT_EQ(evidence_of_branches({taken}), Evidence::kBranchRecords);
  EXPECT_EQ(evidence_of_branches({emulated, taken}), Evidence::kBranchRecords);
  EXPECT_EQ(evidence_of_branches({}), Evidence::kBranchRecords);
  // A clock has no branch records.
  EXPECT_EQ(evidence_of_branches({stepped, clock}), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(evidence_of_branches({taken, clock}), Evidence::kBranchRecords);

  // An event of the processor, whose samples had none, either.
  EventInfo plain{"cycles:u", 10, 2'000'003, false, BranchRecords::kNone};
  EventInfo recorded{"cycles:u", 10, 2'000'003, false, BranchRecords::kSome};
  EXPECT_EQ(evidence_of_branches({plain, stepped}), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(evidence_of_branches({recorded, stepped}), Evidence::kBranchRecords);
  EXPECT_TRUE(has_single_steps_only({plain, stepped}));
  EXPECT_FALSE(has_single_steps_only({recorded, stepped}));
  EXPECT_FALSE(has_single_steps_only({plain}));
  // Steps that had no time for a burst.
  EventInfo without_bursts = stepped;
  without_bursts.branch_records = BranchRecords::kNone;
  EXPECT_FALSE(has_single_steps_only({without_bursts}));

  EXPECT_TRUE(has_single_steps_only({stepped}));
  EXPECT_TRUE(has_single_steps_only({stepped, clock, idle}));
  EXPECT_FALSE(has_single_steps_only({stepped, taken}));
  EXPECT_FALSE(has_single_steps_only({emulated, clock}));
  EXPECT_FALSE(has_single_steps_only({clock}));
}

TEST(Quality, NamesAreFoundAgain) {
  for (Quality quality :
       {Quality::kUnknown, Quality::kWeak, Quality::kThin, Quality::kFair, Quality::kGood})
    EXPECT_EQ(find_quality(quality_name(quality)), quality);
  for (Evidence evidence :
       {Evidence::kUnknown, Evidence::kBranchRecords, Evidence::kSoftwareBranchRecords,
        Evidence::kPcSamples, Evidence::kFunctionAndLine})
    EXPECT_EQ(find_evidence(evidence_name(evidence)), evidence);
  EXPECT_EQ(evidence_name(Evidence::kPcSamples), "pc-samples");
  EXPECT_EQ(evidence_words(Evidence::kPcSamples), "PC samples");
  EXPECT_EQ(find_quality("class"), std::nullopt);
  EXPECT_EQ(find_evidence("lbr"), std::nullopt);
}

TEST(Quality, OneLowerStopsAtWeakAndKeepsUnknown) {
  EXPECT_EQ(one_lower(Quality::kGood), Quality::kFair);
  EXPECT_EQ(one_lower(Quality::kFair), Quality::kThin);
  EXPECT_EQ(one_lower(Quality::kThin), Quality::kWeak);
  EXPECT_EQ(one_lower(Quality::kWeak), Quality::kWeak);
  EXPECT_EQ(one_lower(Quality::kUnknown), Quality::kUnknown);
}

}  // namespace
}  // namespace pgo::quality_test
