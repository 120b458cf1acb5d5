#include "pgo/profile/bolt_evidence.h"

#include <gtest/gtest.h>

namespace pgo::bolt_evidence_test {
namespace {

constexpr CompileProfileUse kUnknown = CompileProfileUse::kUnknown,
                            kUsed = CompileProfileUse::kUsed;

TEST(BoltEvidence, RecordedBranchesAreUsableWhateverTheirQuality) {
  for (const Evidence evidence :
       {Evidence::kBranchRecords, Evidence::kSoftwareBranchRecords, Evidence::kUnknown})
    for (const CompileProfileUse use : {kUnknown, kUsed})
      EXPECT_EQ(judge_for_bolt(evidence, Quality::kWeak, use), BoltEvidence::kUsable);
}

TEST(BoltEvidence, InferredCountsMustBeGood) {
  for (const Evidence evidence : {Evidence::kPcSamples, Evidence::kFunctionAndLine}) {
    EXPECT_EQ(judge_for_bolt(evidence, Quality::kGood, kUnknown), BoltEvidence::kUsable);
    EXPECT_EQ(judge_for_bolt(evidence, Quality::kFair, kUnknown), BoltEvidence::kLowQuality);
    EXPECT_EQ(judge_for_bolt(evidence, Quality::kUnknown, kUnknown), BoltEvidence::kLowQuality);
  }
}

TEST(BoltEvidence, NoInferredCountsAreUsableForABuildWithACompileProfile) {
  for (const Evidence evidence : {Evidence::kPcSamples, Evidence::kFunctionAndLine})
    for (const Quality quality : {Quality::kUnknown, Quality::kThin, Quality::kGood})
      EXPECT_EQ(judge_for_bolt(evidence, quality, kUsed), BoltEvidence::kProfiledBuild);
}

}  // namespace
}  // namespace pgo::bolt_evidence_test
