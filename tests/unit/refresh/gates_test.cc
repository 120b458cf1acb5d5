#include "pgo/refresh/gates.h"

#include <gtest/gtest.h>

namespace pgo::gates_test {
namespace {

GateFigures good() {
  GateFigures figures;
  figures.quality = Quality::kGood;
  figures.evidence = Evidence::kBranchRecords;
  figures.density = 70;
  figures.halves = .98;
  figures.samples = 10'000;
  figures.hosts = 5;
  return figures;
}

// "min-hosts: 5, at least 6, failed; min-quality: ..."; reasons are left out.
std::string results(const ServiceGates& gates, const GateFigures& figures) {
  std::string text;
  for (const GateResult& gate : check_gates(gates, figures))
    text += (text.empty() ? "" : "; ") + gate.name + ": " + gate.found + ", " + gate.wanted + ", " +
            (gate.verdict == GateVerdict::kPassed   ? "passed"
             : gate.verdict == GateVerdict::kFailed ? "failed"
                                                    : "not checked");
  return text;
}

constexpr const char* kQualityPassed = "min-quality: good, at least fair, passed";

TEST(Gates, QualityIsAlwaysChecked) {
  EXPECT_EQ(results({}, good()), kQualityPassed);
  GateFigures figures = good();
  figures.quality = Quality::kThin;
  EXPECT_EQ(results({}, figures), "min-quality: thin, at least fair, failed");
  EXPECT_TRUE(has_failed(check_gates({}, figures)));
  EXPECT_EQ(check_gates({}, figures)[0].reason,
            "there are too few samples; record more hosts or a longer time");
  ServiceGates gates;
  gates.quality = Quality::kThin;
  EXPECT_EQ(results(gates, figures), "min-quality: thin, at least thin, passed");
  figures.quality = Quality::kUnknown;
  EXPECT_EQ(results({}, figures), "min-quality: unknown, at least fair, not checked");
  EXPECT_FALSE(has_failed(check_gates({}, figures)));
}

TEST(Gates, NumbersHaveALeast) {
  ServiceGates gates;
  gates.density = 70;
  gates.halves = 98;
  gates.samples = 10'000;
  gates.hosts = 5;
  EXPECT_FALSE(has_failed(check_gates(gates, good())));
  gates.density = 70.5;
  gates.halves = 98.5;
  gates.samples = 10'001;
  gates.hosts = 6;
  EXPECT_EQ(results(gates, good()),
            "min-density: 70, at least 70.5, failed; min-halves: 98.0 %, at least 98.5 %, failed; "
            "min-hosts: 5, at least 6, failed; " +
                std::string(kQualityPassed) + "; min-samples: 10 000, at least 10 001, failed");
  GateFigures figures = good();
  figures.density.reset();
  gates = {};
  gates.density = 1;
  EXPECT_EQ(results(gates, figures),
            "min-density: -, at least 1, not checked; " + std::string(kQualityPassed));
}

TEST(Gates, EvidenceIsOneOfThese) {
  ServiceGates gates;
  gates.evidence = {Evidence::kPcSamples, Evidence::kBranchRecords};
  EXPECT_EQ(results(gates, good()),
            "evidence: branch records, PC samples or branch records, passed; " +
                std::string(kQualityPassed));
  gates.evidence = {Evidence::kPcSamples};
  EXPECT_EQ(results(gates, good()),
            "evidence: branch records, PC samples, failed; " + std::string(kQualityPassed));
}

TEST(Gates, MatchIsThatOfTheCurrentBuild) {
  GateFigures figures = good();
  figures.match_rate = .49;
  figures.usual_match = 50;
  EXPECT_EQ(results({}, figures),
            "min-match: 49.0 %, at least 50.0 %, failed; " + std::string(kQualityPassed));
  ServiceGates gates;
  gates.match = 40;
  EXPECT_EQ(results(gates, figures),
            "min-match: 49.0 %, at least 40.0 %, passed; " + std::string(kQualityPassed));
  figures.match_rate.reset();
  figures.not_matched = "there is no current build";
  const std::vector<GateResult> checked = check_gates(gates, figures);
  EXPECT_EQ(checked[0], (GateResult{"min-match", "-", "at least 40.0 %", GateVerdict::kNotChecked,
                                    "there is no current build"}));
}

TEST(Gates, MatchNamesTheBuild) {
  GateFigures figures = good();
  figures.match_rate = .138;
  figures.usual_match = 50;
  figures.matched = "only 13.8 % of what it has of build/libquery.so match";
  EXPECT_EQ(check_gates({}, figures)[0].reason,
            "the profile does not fit the current build: only 13.8 % of what it has of "
            "build/libquery.so match; was an old release recorded?");
}

TEST(Gates, OverlapIsThatWithThePinnedProfile) {
  GateFigures figures = good();
  figures.code_overlap = .49;
  EXPECT_EQ(results({}, figures),
            "min-overlap: 49.0 %, at least 50.0 %, failed; " + std::string(kQualityPassed));
  ServiceGates gates;
  gates.overlap = 30;
  EXPECT_EQ(results(gates, figures),
            "min-overlap: 49.0 %, at least 30.0 %, passed; " + std::string(kQualityPassed));
  figures.code_overlap.reset();  // nothing is pinned
  EXPECT_EQ(results({}, figures), kQualityPassed);
  EXPECT_EQ(check_gates(gates, figures)[0],
            (GateResult{"min-overlap", "-", "at least 30.0 %", GateVerdict::kNotChecked,
                        "nothing is pinned to compare with"}));
}

TEST(Gates, ABoltProfileOfOneOfSeveralBuildsIsJudgedByItsOwnCounts) {
  GateFigures figures = good();
  figures.bolt = {{{Quality::kThin, 3, {}, 10}, ""}};
  ServiceGates gates;
  gates.samples = 100;
  gates.density = 2;
  gates.halves = 90;
  EXPECT_EQ(results(gates, figures),
            "min-density: 70, at least 2, passed; min-density (bolt): 3, at least 2, passed; "
            "min-halves: 98.0 %, at least 90.0 %, passed; "
            "min-halves (bolt): -, at least 90.0 %, not checked; " +
                std::string(kQualityPassed) +
                "; min-quality (bolt): thin, at least fair, failed; "
                "min-samples: 10 000, at least 100, passed; "
                "min-samples (bolt): 10, at least 100, failed");
}

TEST(Gates, TheBoltProfileOfALibraryIsJudgedToo) {
  GateFigures figures = good();
  figures.bolt = {{{Quality::kGood, 3, {}, 10}, ""}, {{Quality::kThin, 3, {}, 10}, "libq.so"}};
  EXPECT_EQ(results({}, figures), std::string(kQualityPassed) +
                                      "; min-quality (bolt libq.so): thin, at least fair, failed"
                                      "; min-quality (bolt): good, at least fair, passed");
}

TEST(Gates, OfALibraryDescribeWhatFailed) {
  const BoltFigures thin{{Quality::kThin, 3, .8, 10'584}, "libq.so"};
  EXPECT_EQ(describe_failed_gate(check_bolt_gates({}, thin)),
            "min-quality failed (found thin, wanted at least fair): there are too few samples; "
            "record more hosts or a longer time");
  ServiceGates gates;
  gates.quality = Quality::kThin;
  EXPECT_EQ(describe_failed_gate(check_bolt_gates(gates, thin)), "");
  gates.samples = 12'000;
  EXPECT_EQ(describe_failed_gate(check_bolt_gates(gates, thin)),
            "min-samples failed (found 10 584, wanted at least 12 000): there are too few samples; "
            "record more hosts or a longer time");
  // Those of the whole version are none of the library.
  gates.samples.reset();
  gates.hosts = 3;
  EXPECT_EQ(describe_failed_gate(check_bolt_gates(gates, thin)), "");
}

// The counts of the program may come from steps, and those of a library from PC samples.
TEST(Gates, EvidenceIsThatOfEachBoltProfile) {
  GateFigures figures = good();
  figures.bolt = {{{Quality::kGood, {}, {}, 10, Evidence::kPcSamples}, "libq.so"}};
  ServiceGates gates;
  gates.evidence = {Evidence::kBranchRecords};
  EXPECT_EQ(results(gates, figures),
            "evidence: branch records, branch records, passed; "
            "evidence (bolt libq.so): PC samples, branch records, failed; " +
                std::string(kQualityPassed) +
                "; min-quality (bolt libq.so): good, at least fair, passed");
  EXPECT_EQ(describe_failed_gate(check_bolt_gates(gates, figures.bolt[0])),
            "evidence failed (found PC samples, wanted branch records): the profiles were not "
            "recorded in the way that the gate asks for");
}

TEST(Gates, MostSamplesAreOfArchivedBuilds) {
  GateFigures figures = good();
  figures.missing_builds = .5;
  EXPECT_EQ(results({}, figures),
            "max-missing-builds: 50.0 %, at most 50.0 %, passed; " + std::string(kQualityPassed));
  figures.missing_builds = .501;
  EXPECT_EQ(results({}, figures),
            "max-missing-builds: 50.1 %, at most 50.0 %, failed; " + std::string(kQualityPassed));
  ServiceGates gates;
  gates.missing_builds = 0;
  EXPECT_EQ(results(gates, good()),
            "max-missing-builds: 0.0 %, at most 0.0 %, passed; " + std::string(kQualityPassed));
}

}  // namespace
}  // namespace pgo::gates_test
