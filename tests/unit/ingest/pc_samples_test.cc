#include "pgo/ingest/pc_samples.h"

#include <gtest/gtest.h>

namespace pgo {
namespace {

Inference inference_from(uint64_t samples, std::optional<double> unsampled_flow_share) {
  Inference inference;
  inference.samples = samples;
  inference.functions = 30;
  inference.unsampled_flow_share = unsampled_flow_share;
  return inference;
}

TEST(PcSamples, MuchUnsampledFlowLowersTheQualityByOne) {
  struct Case {
    uint64_t samples;
    Quality quality, lower;
  };
  for (const Case& one :
       {Case{100'000, Quality::kGood, Quality::kFair}, Case{99'999, Quality::kFair, Quality::kThin},
        Case{2'000, Quality::kThin, Quality::kWeak}, Case{1'999, Quality::kWeak, Quality::kWeak}}) {
    EXPECT_EQ(inference_from(one.samples, std::nullopt).quality(), one.quality);
    EXPECT_EQ(inference_from(one.samples, .25).quality(), one.quality);
    EXPECT_EQ(inference_from(one.samples, .26).quality(), one.lower);
  }
}

TEST(PcSamples, JudgesEachBinaryLikeTheWhole) {
  Inference inference = inference_from(150'000, .1);
  EXPECT_EQ(inference.quality_of({.samples = 140'000}), Quality::kGood);
  EXPECT_EQ(inference.quality_of({.samples = 140'000, .unsampled_flow_share = .3}), Quality::kFair);
  EXPECT_EQ(inference.quality_of({.samples = 9'999}), Quality::kThin);
  EXPECT_EQ(inference.quality_of({.samples = 0}), Quality::kUnknown);
  inference.is_cpu_time = false;
  EXPECT_EQ(inference.quality_of({.samples = 140'000}), Quality::kUnknown);
}

TEST(PcSamples, QualityIsUnknownForOtherThanCpuTime) {
  Inference inference = inference_from(100'000, .26);
  inference.is_cpu_time = false;
  EXPECT_EQ(inference.quality(), Quality::kUnknown);
}

}  // namespace
}  // namespace pgo
