#include "pgo/ingest/pc_samples.h"

#include <gtest/gtest.h>

#include "tests/data/probed_program.h"
#include "tests/data/temporary_files.h"

namespace pgo::pc_samples_test {
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

class PcSamplesOfFiles : public test::TemporaryFiles {};

// The rows of a profile that was merged with a weight are rounded one by one, the sum only once.
TEST_F(PcSamplesOfFiles, GivesEachBinaryItsShareOfTheSamples) {
  const std::string other_id(40, 'f');
  std::vector<std::string> paths;
  AddressProfile one, two;
  for (const auto& [id, rows] : {std::pair{std::string(test::kProbedBuildId), uint64_t{1'500}},
                                 std::pair{other_id, uint64_t{499}}}) {
    paths.push_back(write(id, test::probed_program(id)));
    BinaryCounts& counts = two.binaries.emplace_back();
    counts.id = *BuildId::from_hex(id);
    counts.path_hint = paths.back();
    counts.pc_samples = {{ElfAddr{0x1208}, rows, rows}};
  }
  const BinarySet binaries = BinarySet::open(paths, {}).value();
  one.binaries = {two.binaries[0]};
  one.binaries[0].pc_samples[0].samples = 1'999;
  one.samples.seen = one.samples.pending = two.samples.seen = two.samples.pending = 2'001;

  const Inference of_one = infer_from_pc_samples(one, binaries, 1).value().value();
  EXPECT_EQ(of_one.binaries.at(0).samples, 2'001u);
  EXPECT_EQ(of_one.quality_of(of_one.binaries[0]), of_one.quality());
  const Inference of_two = infer_from_pc_samples(two, binaries, 1).value().value();
  EXPECT_EQ(of_two.binaries.at(0).samples, 1'502u);
  EXPECT_EQ(of_two.binaries.at(1).samples, 499u);
}

TEST(PcSamples, QualityIsUnknownForOtherThanCpuTime) {
  Inference inference = inference_from(100'000, .26);
  inference.is_cpu_time = false;
  EXPECT_EQ(inference.quality(), Quality::kUnknown);
}

}  // namespace
}  // namespace pgo::pc_samples_test
