#include "pgo/report/inference_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::inference_report_test {
namespace {

Inference inference_from(uint64_t samples, std::optional<double> unsampled_flow_share) {
  Inference inference;
  inference.samples = samples;
  inference.functions = 30;
  inference.split_half_overlap = .998;
  inference.unsampled_flow_share = unsampled_flow_share;
  return inference;
}

std::string text_of(const Inference& inference) { return inference_messages(inference).at(0).text; }

TEST(InferenceReport, SaysWhatMoreSamplesWouldGive) {
  EXPECT_EQ(
      text_of(inference_from(20'000, .1)),
      "counts inferred from PC samples: 20 000 in 30 functions, quality fair, split-half overlap "
      "99.8 %; 5 times as many would give quality good");
}

TEST(InferenceReport, CountsSingleStepsApart) {
  Inference inference = inference_from(100'000, .1);
  inference.step_samples = 6'211;
  inference.step_records = 60'000;
  inference.quality_of_steps = Quality::kFair;
  EXPECT_EQ(text_of(inference),
            "counts inferred from 6 211 samples by single steps, and 100 000 PC samples in 30 "
            "functions, quality good, split-half overlap 99.8 %");
  EXPECT_EQ(inference_json(inference)["step_samples"], 6'211);
  EXPECT_EQ(inference_json(inference)["step_records"], 60'000);
  inference = inference_from(1'174, .1);
  inference.step_samples = 1;
  inference.step_records = 7;
  inference.quality_of_steps = Quality::kWeak;
  EXPECT_EQ(text_of(inference),
            "counts inferred from 1 sample by single steps, and 1 174 PC samples in 30 functions, "
            "quality weak, split-half overlap 99.8 %; the single steps are too few to count as "
            "branch records (7 of 10 000 branch records needed)");
  inference.step_records = 12'000;
  EXPECT_TRUE(text_of(inference).ends_with(
      "branch records (two halves of their branch records overlap by less than 70.0 %)"));
  inference.binaries.resize(2);
  EXPECT_NE(text_of(inference).find("; the single steps of all binaries together are too few to "),
            std::string::npos);
}

TEST(InferenceReport, RoundsUpHowManyMoreAreMissing) {
  auto missing = [](uint64_t samples) {
    const std::string text = text_of(inference_from(samples, .1));
    return text.substr(text.find("; ") + 2);
  };
  EXPECT_EQ(missing(97'858), "a few more would give quality good");
  EXPECT_EQ(missing(90'000), "1.2 times as many would give quality good");
  EXPECT_EQ(missing(52'000), "2 times as many would give quality good");
  EXPECT_EQ(missing(50'000), "2 times as many would give quality good");
  EXPECT_EQ(missing(49'000), "3 times as many would give quality good");
  EXPECT_EQ(text_of(inference_from(100'000, .1)).find(';'), std::string::npos);
}

TEST(InferenceReport, SaysWhenMuchOfTheFlowHasNoSamples) {
  EXPECT_EQ(
      text_of(inference_from(100'000, .312)),
      "counts inferred from PC samples: 100 000 in 30 functions, quality fair, split-half overlap "
      "99.8 %; 31.2 % of the inferred flow is in blocks without samples, where only the model "
      "decides");
}

TEST(InferenceReport, SaysWhyTheQualityIsUnknown) {
  Inference inference = inference_from(100'000, std::nullopt);
  inference.is_cpu_time = false;
  EXPECT_EQ(
      text_of(inference),
      "counts inferred from PC samples: 100 000 in 30 functions, quality unknown (they may not "
      "be of CPU time), split-half overlap 99.8 %");
}

TEST(InferenceReport, ListsTheHottestPlacesThatWereNotFound) {
  Inference inference = inference_from(1'000, std::nullopt);
  inference.symbolized = SymbolizedSamples{2'000, 10, {}};
  inference.symbolized->unmatched.push_back({"f", "f.cc", 7, Dropped::kUnknownLine, 1'000});
  std::vector<Message> messages = inference_messages(inference);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].text,
            "counts inferred from functions and lines: 1 000 in 30 functions, quality weak, "
            "split-half overlap 99.8 %; 100 times as many would give quality good; 1.0 % of them "
            "are inlined differently in the binary than in the program that ran");
  EXPECT_EQ(
      messages[1].text,
      "hottest functions and lines that were not found in the binary:\n  50.0 %  f (f.cc:7), " +
          std::string(dropped_sentence(Dropped::kUnknownLine)));
}

TEST(InferenceReport, JsonHasTheShareWhenItIsKnown) {
  EXPECT_EQ(inference_json(inference_from(20'000, .12499)),
            nlohmann::json::parse(R"({"samples": 20000, "functions": 30, "outside_functions": 0.0,
                                      "guessed_jumps": 0, "unsampled_flow_share": 0.125})"));
  EXPECT_FALSE(
      inference_json(inference_from(20'000, std::nullopt)).contains("unsampled_flow_share"));
}

}  // namespace
}  // namespace pgo::inference_report_test
