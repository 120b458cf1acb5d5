// Which counts optimize() accepts: recorded ones, inferred ones, and those of unknown evidence.
#include <filesystem>
#include <string>
#include <vector>

#include "converters/llvm_sample/profile_digest.h"
#include "tests/unit/postlink/optimization_fixture.h"

namespace pgo::counts_evidence_test {
namespace {

using optimization_test::contents_of;
using optimization_test::kId;
using optimization_test::program;

class CountsEvidenceTest : public optimization_test::OptimizationTest {};

// The report of the conversion that made prog.fdata, of one of two binaries, which together are
// good and have branch records.
std::string report_of(const std::string& fdata, const std::string& evidence,
                      const std::string& quality) {
  return R"({"binaries": [{}, {}], "branches": {}, "evidence": "software-branch-records", )"
         R"("quality": "good", "outputs": [{"digest": "sha256:00", "quality": "good"}, )"
         R"({"digest": ")" +
         profile_digest({reinterpret_cast<const uint8_t*>(fdata.data()), fdata.size()}) +
         R"(", "evidence": ")" + evidence + R"(", "quality": ")" + quality +
         R"("}], "samples": {}})";
}

// The same as earlier versions wrote it.
std::string earlier_report_of(const std::string& fdata, const std::string& binaries) {
  return R"({"binaries": [)" + binaries + R"(], "branches": {}, "evidence": "pc-samples", )" +
         R"("quality": "good", "outputs": [{"digest": ")" +
         profile_digest({reinterpret_cast<const uint8_t*>(fdata.data()), fdata.size()}) +
         R"("}], "samples": {}})";
}

TEST_F(CountsEvidenceTest, RefusesThinInferredCountsWhateverOnFailureSays) {
  add_llvm_bolt();
  const std::string fdata = contents_of(path("prog.fdata"));
  write("prog.json", report_of(fdata, "pc-samples", "thin"));
  expect_refused_counts(
      "its counts were inferred from PC samples, and their quality is thin (" + path("prog.json") +
          "), not good: BOLT may well make the program slower with them",
      "record branches (perf record -b, or pgo record \xFF{engine} step), or PC samples for longer "
      "or on more hosts; "
      "\xFF{allow-inferred} optimizes anyway");

  request.inferred = InferredCounts::kAny;
  const OptimizeResult result = run();
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_EQ(result.profile->evidence, Evidence::kPcSamples);
  EXPECT_EQ(result.profile->quality, Quality::kThin);
}

TEST_F(CountsEvidenceTest, KeepsTheInputForRefusedCountsWhenAskedTo) {
  add_llvm_bolt();
  write("prog.json", report_of(contents_of(path("prog.fdata")), "pc-samples", "thin"));
  request.on_failure = OnFailure::kError;
  request.on_refused_counts = OnFailure::kKeep;
  const OptimizeResult result = run();
  ASSERT_TRUE(result.failure);
  EXPECT_TRUE(result.refused_counts);
  EXPECT_EQ(result.delivered, Delivered::kInput);
  EXPECT_EQ(contents_of(path("out")), contents_of(path("prog")));
}

TEST_F(CountsEvidenceTest, RefusesInferredCountsForABuildWithACompileProfile) {
  add_llvm_bolt();
  const std::string fdata = contents_of(path("prog.fdata"));
  write("prog.json", report_of(fdata, "pc-samples", "good"));
  EXPECT_EQ(failure(), "no error");
  std::filesystem::remove(path("out"));
  write("prog", program(kId, std::string(16, '\xc3'), "sha256:01"));
  expect_refused_counts(
      "its counts were inferred from PC samples (" + path("prog.json") +
          "), and it was built with a compile profile: with inferred counts, BOLT increased the "
          "taken branches of two of three such programs, with any number of samples",
      "record branches (perf record -b, or pgo record \xFF{engine} step); "
      "\xFF{allow-inferred} optimizes anyway");

  request.inferred = InferredCounts::kAny;
  EXPECT_EQ(failure(), "no error");
  request.inferred = InferredCounts::kGood;
  write("prog.json", report_of(fdata, "branch-records", "weak"));
  EXPECT_EQ(failure(), "no error");
}

TEST_F(CountsEvidenceTest, TakesTheQualityOfAllBinariesWhereThereIsOne) {
  add_llvm_bolt();
  const std::string fdata = contents_of(path("prog.fdata"));
  write("prog.json", earlier_report_of(fdata, "{}"));
  EXPECT_EQ(failure(), "no error");
  write("prog.json", earlier_report_of(fdata, "{}, {}"));
  EXPECT_EQ(run().failure.value().message,
            "its counts were inferred from PC samples, and their quality is unknown (" +
                path("prog.json") + "), not good: BOLT may well make the program slower with them");
}

TEST_F(CountsEvidenceTest, FindsTheReportByTheWholeNameOfTheProfile) {
  add_llvm_bolt();
  const std::string fdata = contents_of(path("prog.fdata"));
  // That of the profile for the compiler has the shorter name.
  write("prog.json", report_of("another profile", "pc-samples", "good"));
  write("prog.fdata.json", report_of(fdata, "pc-samples", "fair"));
  EXPECT_EQ(run().failure.value().message,
            "its counts were inferred from PC samples, and their quality is fair (" +
                path("prog.fdata.json") +
                "), not good: BOLT may well make the program slower with them");
}

// As the report of a conversion for several binaries is: it has any name.
TEST_F(CountsEvidenceTest, FindsTheReportByTheDigestThatItLists) {
  add_llvm_bolt();
  const std::string fdata = contents_of(path("prog.fdata"));
  write("a.json", "{}");
  write("bolt.json", report_of(fdata, "pc-samples", "fair"));
  write("other.json", report_of("another profile", "pc-samples", "good"));
  EXPECT_EQ(run().failure.value().message,
            "its counts were inferred from PC samples, and their quality is fair (" +
                path("bolt.json") + "), not good: BOLT may well make the program slower with them");
  // That of its name counts before others.
  write("prog.json", report_of(fdata, "pc-samples", "good"));
  EXPECT_EQ(failure(), "no error");
}

TEST_F(CountsEvidenceTest, AllowsGoodInferredCountsAndWhatNothingIsKnownOf) {
  add_llvm_bolt();
  const std::string fdata = contents_of(path("prog.fdata"));
  EXPECT_EQ(failure(), "no error");
  for (const auto& [evidence, quality] :
       {std::pair{"pc-samples", "good"}, {"branch-records", "weak"}, {"unknown", "unknown"}}) {
    write("prog.json", report_of(fdata, evidence, quality));
    EXPECT_EQ(failure(), "no error") << evidence;
  }
  // A report of another fdata, and what is none at all.
  write("prog.json", report_of(fdata + " ", "pc-samples", "weak"));
  EXPECT_EQ(failure(), "no error");
  write("prog.json", R"({"branches": {}, "evidence": 1, "samples": )");
  EXPECT_EQ(failure(), "no error");
}

TEST_F(CountsEvidenceTest, WarnsThatTheEvidenceIsUnknown) {
  add_llvm_bolt();
  const std::string warned = path("prog.fdata") +
                             ": it is unknown whether its counts were recorded or inferred; keep "
                             "the report of its conversion beside it, as " +
                             path("prog.fdata") + ".json; \xFF{allow-inferred} accepts either";
  auto warnings = [&] {
    const OptimizeResult result = run();
    std::vector<std::string> texts;
    for (const auto& [kind, entry] : result.diagnostics.entries())
      if (kind == "unknown-evidence")
        texts.insert(texts.end(), entry.messages.begin(), entry.messages.end());
    return texts;
  };
  EXPECT_EQ(warnings(), std::vector<std::string>{warned});
  request.inferred = InferredCounts::kAny;
  EXPECT_EQ(warnings(), std::vector<std::string>());
  request.inferred = InferredCounts::kGood;
  write("prog.fdata.json", report_of(contents_of(path("prog.fdata")), "branch-records", "good"));
  EXPECT_EQ(warnings(), std::vector<std::string>());
}

}  // namespace
}  // namespace pgo::counts_evidence_test
