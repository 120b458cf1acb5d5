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

TEST(PcSamples, QualityIsUnknownForOtherThanCpuTime) {
  Inference inference = inference_from(100'000, .26);
  inference.is_cpu_time = false;
  EXPECT_EQ(inference.quality(), Quality::kUnknown);
}

}  // namespace
}  // namespace pgo
