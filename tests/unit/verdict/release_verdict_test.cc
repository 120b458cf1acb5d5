#include "pgo/verdict/release_verdict.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/report/verify_report.h"

namespace pgo::release_verdict_test {
namespace {

class ReleaseTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return directory_.file(name); }
  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(path(name), std::ios::binary) << contents;
    return path(name);
  }

  // Five hosts a side; `after` per cent of the samples of f and of everything else. Hosts differ.
  VerifyRequest fleet(int f_percent, int rest_percent) const {
    const int noise[] = {-40, 15, 30, -20, 15};
    VerifyRequest request;
    for (int host = 0; host < 5; host++) {
      const std::string name = "-" + std::to_string(host) + ".folded";
      const int f = 6000 + noise[host], rest = 24000 - 3 * noise[host];
      auto stacks = [](int f_samples, int rest_samples) {
        return "main;f " + std::to_string(f_samples) + "\nmain;g " + std::to_string(rest_samples) +
               "\n";
      };
      request.compared.sides[0].push_back(write("before" + name, stacks(f, rest)));
      request.compared.sides[1].push_back(
          write("after" + name, stacks(f * f_percent / 100, rest * rest_percent / 100)));
    }
    request.compared.jobs = 2;
    return request;
  }
  VerifyRequest fleet_with_units(int f_percent, int rest_percent) const {
    VerifyRequest request = fleet(f_percent, rest_percent);
    request.compared.measure = verify::Measure::kPerUnit;
    request.compared.units = {1000, 1000};
    return request;
  }

  static VerifyResult result_of(const VerifyRequest& request) {
    Result<VerifyResult> result = verify_release(request);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  }
  static std::string sentence_of(const VerifyRequest& request) {
    return verdict_sentence(result_of(request));
  }

  TemporaryDirectory directory_ = *TemporaryDirectory::make();
};

TEST_F(ReleaseTest, PassesWhatIsCheaper) {
  VerifyRequest request = fleet_with_units(90, 95);
  VerifyResult result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kPass);
  EXPECT_NEAR(result.cost->ratio, .94, .001);
  EXPECT_LT(result.cost->interval.low, result.cost->shown.low);
  EXPECT_GT(result.cost->interval.high, result.cost->shown.high);
  request.limits.drop = .03;
  EXPECT_EQ(result_of(request).outcome, Outcome::kPass);
  request.limits.drop = .08;
  result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kInconclusive);
  EXPECT_EQ(result.doubt, Doubt::kBetween);
}

TEST_F(ReleaseTest, FailsWhatIsDearer) {
  VerifyResult result = result_of(fleet_with_units(105, 105));
  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_TRUE(result.functions.grown.empty());
  EXPECT_NE(verdict_sentence(result).find("fail: a unit of work costs "), std::string::npos);
}

// A function that grew is a regression, though others shrank by as much.
TEST_F(ReleaseTest, FailsAGrownFunctionInACheaperRelease) {
  VerifyResult result = result_of(fleet_with_units(150, 80));
  EXPECT_LT(result.cost->interval.high, 1);
  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(verdict_sentence(result), "fail: f (+50.0 %) grew by more than 20.0 %");
  // In shares too.
  VerifyResult shares = result_of(fleet(150, 80));
  EXPECT_EQ(shares.outcome, Outcome::kFail);
  EXPECT_FALSE(shares.cost);
}

TEST_F(ReleaseTest, SaysWhatSharesCannotShow) {
  EXPECT_EQ(
      sentence_of(fleet(130, 130)),
      "pass: no function of at least 0.5 % is shown to have grown by more than 20.0 %; shares "
      "cannot show a change that all functions have in common");
}

TEST_F(ReleaseTest, SaysHowMuchDataIsMissing) {
  VerifyRequest request = fleet_with_units(100, 100);
  request.limits.growth = .0001;
  request.limits.drop = .00002;
  for (std::string& after : request.compared.sides[1])
    after = write(after.substr(after.rfind('/') + 1), "main;f 6011\nmain;g 23900\n");
  VerifyResult result = result_of(request);
  ASSERT_EQ(result.outcome, Outcome::kInconclusive);
  ASSERT_EQ(result.doubt, Doubt::kWideInterval);
  EXPECT_GT(*result.times_data, 1);
  EXPECT_NE(verdict_sentence(result).find(" times as many hosts or hours are needed to decide"),
            std::string::npos)
      << verdict_sentence(result);
  // CI systems show it, too.
  const std::string xml = verify_junit(result);
  EXPECT_NE(xml.find(" times as many hosts or hours are needed to decide\"/>"), std::string::npos)
      << xml;
}

// Also of a release that fails by a function.
TEST_F(ReleaseTest, SaysHowMuchDataTheCostNeeds) {
  VerifyRequest request = fleet_with_units(150, 85);
  request.limits.growth = .0001;
  request.limits.drop = .05;
  VerifyResult result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.doubt, Doubt::kNone);
  ASSERT_EQ(result.cost_doubt, Doubt::kBetween) << result.cost->ratio;
  const std::string xml = verify_junit(result);
  EXPECT_NE(xml.find("so more data will not decide\"/>"), std::string::npos) << xml;
}

// Requests of one side, thousands of requests of the other.
TEST_F(ReleaseTest, WarnsOfUnitsThatDifferByFar) {
  VerifyRequest request = fleet_with_units(100, 100);
  EXPECT_EQ(result_of(request).comparison.diagnostics.entries().count("units-differ"), 0u);
  request.compared.units = {1'200'000, 1'200};
  EXPECT_EQ(result_of(request).comparison.diagnostics.entries().at("units-differ").messages[0],
            "a unit of work costs 1 000 times as much after as before; units of work per sample: "
            "8 (1 200 000 units, 150 000 samples) before, 0.008 (1 200 units, 150 000 samples) "
            "after: are the units of both sides counted alike, or one side's in thousands?");
  EXPECT_EQ(result_of(request).outcome, Outcome::kFail);
  request.compared.units = {1'200, 1'200'000};
  VerifyResult result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kInconclusive);
  EXPECT_EQ(result.doubt, Doubt::kUnits);
  EXPECT_TRUE(verdict_sentence(result).ends_with(
      " less, which is rarely true: count the units of work of both sides alike, or expect a drop "
      "of 90 % or more"))
      << verdict_sentence(result);
  // Allocations of a unit of work can fall so far.
  request.limits.drop = .9;
  result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kPass) << verdict_sentence(result);
  EXPECT_EQ(result.comparison.diagnostics.entries().count("units-differ"), 1u);
  request.limits.drop = .89;
  EXPECT_EQ(result_of(request).doubt, Doubt::kUnits);
}

// pgo.toml may expect a drop, while this comparison has no units.
TEST_F(ReleaseTest, WarnsOfAnExpectationThatSharesCannotShow) {
  VerifyRequest request = fleet(100, 100);
  request.limits.drop = .03;
  EXPECT_EQ(result_of(request).comparison.diagnostics.entries().count("expect-without-units"), 1u);
  request.compared.measure = verify::Measure::kPerUnit;
  request.compared.units = {1000, 1000};
  EXPECT_EQ(result_of(request).comparison.diagnostics.entries().count("expect-without-units"), 0u);
}

TEST_F(ReleaseTest, DrawsAPageOfCostsPerUnit) {
  VerifyRequest request = fleet_with_units(150, 95);
  request.compared.wants_graph = true;
  VerifyResult result = result_of(request);
  const FlameTree& tree = *result.comparison.graph;
  EXPECT_FALSE(tree.in_shares);
  EXPECT_EQ(tree.per, "unit of work");
  for (const FlameFunction& function : tree.functions)
    if (tree.frames[function.frame].name == "f") {
      EXPECT_NEAR(static_cast<double>(function.flat[0]) * tree.value_size, 30, .01);
      EXPECT_NEAR(static_cast<double>(function.flat[1]) * tree.value_size, 45, .01);
      ASSERT_TRUE(function.flat_certainty.interval);
      EXPECT_NEAR(static_cast<double>(function.flat_certainty.interval->first) * tree.value_size,
                  15, 1);
    }
  const FlamePage page = verify_page(result);
  ASSERT_EQ(page.tables.size(), 1u);
  EXPECT_EQ(page.tables[0].numbers, 5u);
  EXPECT_EQ(page.tables[0].columns,
            (std::vector<std::string>{"Before", "After", "Growth", "95 % interval", "P",
                                      "Grown function"}));
  ASSERT_EQ(page.tables[0].rows.size(), 1u);
  const std::vector<std::string>& row = page.tables[0].rows[0];
  EXPECT_EQ(row[0], "30");
  EXPECT_EQ(row[2], "+50.0 %");
  EXPECT_TRUE(row[3].ends_with(" % more")) << row[3];
  EXPECT_EQ(row[5], "f");
  EXPECT_TRUE(verify_page(result_of(fleet(100, 100))).tables.empty());
}

TEST_F(ReleaseTest, NeedsSeveralProfilesOfASide) {
  VerifyRequest request = fleet_with_units(80, 80);
  for (auto& side : request.compared.sides) side.resize(1);
  VerifyResult result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kInconclusive);
  EXPECT_EQ(result.doubt, Doubt::kOneProfile);
  request.sampling_only = true;
  EXPECT_EQ(result_of(request).outcome, Outcome::kPass);
}

TEST_F(ReleaseTest, TakesUnitsOfEachMember) {
  VerifyRequest request = fleet_with_units(100, 100);
  for (int host = 0; host < 5; host++) {
    const std::string name = "-" + std::to_string(host) + ".folded";
    request.compared.member_units[0].push_back({"before" + name, 100.0});
    request.compared.member_units[1].push_back({path("after" + name), 125.0});
  }
  VerifyResult result = result_of(request);
  EXPECT_NEAR(result.cost->ratio, .8, .001);
  EXPECT_EQ(result.comparison.sides[1].units, 625);
}

// Five hosts a side; a request of checkout costs four times as much as one of search. `dearer`:
// what a search costs more after the release, in percent.
VerifyRequest changed_mix(const TemporaryDirectory& directory, int dearer) {
  VerifyRequest request;
  request.compared.jobs = 2;
  request.compared.measure = verify::Measure::kPerUnit;
  // Thousands of requests of each host.
  const int64_t checkouts[] = {2, 6}, searches[] = {8, 4};
  for (size_t side = 0; side < 2; side++) {
    for (int host = 0; host < 5; host++) {
      StackProfile profile;
      auto text = [&](const char* word) { return profile.strings.add(word); };
      profile.sample_types = {{text("samples"), text("count")}};
      auto add = [&](const char* endpoint, int64_t samples) {
        FunctionId function = profile.add_function({.name = text(endpoint)});
        LocationId place = profile.add_location(
            {kNoMapping, RuntimeAddr{profile.locations.size() + 1}}, {{function, 1, 0}});
        LabelsId labels = profile.add_labels({{.key = text("endpoint"), .text = text(endpoint)}});
        profile.add_sample({profile.add_stack({place}), labels}, {samples});
      };
      const int64_t noise = host * 3 - 6;
      add("checkout", checkouts[side] * 4000 + noise);
      add("search", searches[side] * (side == 1 ? 1000 + 10 * dearer : 1000) - noise);
      profile.normalize();
      const std::string path = directory.file(std::to_string(side) + std::to_string(host) + ".pb");
      std::ofstream(path, std::ios::binary) << write_pprof(profile);
      request.compared.sides[side].push_back(path);
    }
  }
  return request;
}

TEST_F(ReleaseTest, StandardizesAChangedMix) {
  VerifyRequest request = changed_mix(directory_, 0);
  request.limits.growth = .05;
  request.compared.units = {50'000, 50'000};
  EXPECT_NEAR(result_of(request).cost->ratio, 28.0 / 16, .01);
  EXPECT_EQ(result_of(request).outcome, Outcome::kFail);

  request.compared.standardize = "endpoint";
  EXPECT_EQ(verify_release(request).error().message,
            "\xFF{standardize} endpoint: per unit of work, it needs the units of each value of the "
            "label");
  request.compared.member_units[0] = {{"", 10'000, "checkout"}, {"", 40'000, "search"}};
  request.compared.member_units[1] = {{"", 30'000, "checkout"}, {"", 20'000, "search"}};
  VerifyResult result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kPass) << verdict_sentence(result);
  EXPECT_NEAR(result.cost->ratio, 1, .001);
  EXPECT_NE(verify_text(result, {}).find("endpoint: search 80.0 % before, 40.0 % after; checkout"),
            std::string::npos)
      << verify_text(result, {});
  EXPECT_NEAR(verify_json(result)["comparison"]["standardized"]["values"][1]["mix"], .6, 1e-9);
}

// What became dearer within an endpoint is not hidden.
TEST_F(ReleaseTest, FailsADearerEndpointInAChangedMix) {
  VerifyRequest request = changed_mix(directory_, 30);
  request.compared.standardize = "endpoint";
  request.compared.member_units[0] = {{"", 10'000, "checkout"}, {"", 40'000, "search"}};
  request.compared.member_units[1] = {{"", 30'000, "checkout"}, {"", 20'000, "search"}};
  VerifyResult result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kFail);
  // The mix is 2 : 3, so a unit of work cost 2 * 4 + 3, and costs 2 * 4 + 3 * 1.3.
  EXPECT_NEAR(result.cost->ratio, 11.9 / 11, .001);
  ASSERT_EQ(result.functions.grown.size(), 1u);
  EXPECT_EQ(result.comparison.rows[result.functions.grown[0].row].key.name, "search");
}

// An interval without an end is not narrow enough, which is no answer of limits.
TEST_F(ReleaseTest, KnowsAnOpenInterval) {
  DiffResult comparison;
  comparison.measure = verify::Measure::kPerUnit;
  comparison.basis = verify::Basis::kMembers;
  comparison.total = verify::RowComparison{.rate_a = 1, .rate_b = 0, .estimate = {{1, 3}, {0, 3}}};
  VerifyResult result = judge_release(comparison, {.growth = 0, .drop = .999}, false);
  EXPECT_EQ(result.doubt, Doubt::kWideInterval);
  EXPECT_FALSE(result.times_data);
  EXPECT_NE(verdict_sentence(result).find("more hosts or hours are needed"), std::string::npos)
      << verdict_sentence(result);
}

// Functions of a side whose binary was forgotten are not gone, and those of the other not new.
TEST_F(ReleaseTest, ComparesNoNamesWithCodeThatHasNone) {
  VerifyRequest request = fleet(100, 100);
  for (std::string& before : request.compared.sides[0])
    before = write(before.substr(before.rfind('/') + 1), "[server] 29000\nmain;h 1000\n");
  EXPECT_EQ(sentence_of(request),
            "inconclusive: functions have names on one side only: code without names has 96.7 % of "
            "the cost before, and 0.0 % after; name the binaries of both sides, and the debug "
            "files of stripped ones");
  for (std::string& after : request.compared.sides[1])
    after = write(after.substr(after.rfind('/') + 1), "[server] 29000\nmain;h 1000\n");
  EXPECT_EQ(sentence_of(request),
            "inconclusive: only functions with 3.3 % of the cost are certain not to have grown by "
            "more than 20.0 %, and 50.0 % are needed; code without function names has 96.7 % "
            "after: name the binaries, and the debug files of stripped ones");
}

// The code is the same, and takes a larger part of less.
TEST_F(ReleaseTest, DoesNotBlameCodeForWhatOtherCodeSaved) {
  VerifyRequest request = fleet(100, 100);
  for (std::string& before : request.compared.sides[0])
    before = write(before.substr(before.rfind('/') + 1), "[kernel] 20000\na 10000\nb 10000\n");
  for (std::string& after : request.compared.sides[1])
    after = write(after.substr(after.rfind('/') + 1), "[kernel] 1000\na 10000\nb 10000\n");
  EXPECT_EQ(sentence_of(request),
            "inconclusive: the share of a and 1 more function grew like those of most others "
            "(+90.5 %), because [kernel] fell from 50.0 % to 4.8 %, or because all of them became "
            "dearer; give the units of work of both sides");
}

// As of address profiles: naming binaries cannot help.
TEST_F(ReleaseTest, ComparesNoBinariesThatOneSideWasNotConvertedFor) {
  VerifyRequest request = fleet(100, 100);
  for (std::string& before : request.compared.sides[0])
    before = write(before.substr(before.rfind('/') + 1), "[other binaries] 29000\nmain;h 1000\n");
  EXPECT_EQ(sentence_of(request),
            "inconclusive: one side was converted to address profiles for fewer binaries: code of "
            "others has 96.7 % of the cost before, and 0.0 % after; convert the recordings of both "
            "sides for the same binaries");
}

// The cost fails. The report must not say that the functions passed.
TEST_F(ReleaseTest, SaysThatFunctionsAreNotJudgedWithoutNames) {
  VerifyRequest request = fleet_with_units(100, 100);
  for (std::string& after : request.compared.sides[1])
    after = write(after.substr(after.rfind('/') + 1), "main;f 60000\n[server] 9000\n");
  VerifyResult result = result_of(request);
  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.functions_doubt, Doubt::kNames);
  EXPECT_NE(verify_text(result, {}).find("not judged: functions have names on one side only"),
            std::string::npos)
      << verify_text(result, {});
  EXPECT_EQ(verify_json(result)["functions"]["doubt"], "names on one side");
  EXPECT_NE(verify_junit(result).find("failures=\"1\" errors=\"0\" skipped=\"1\""),
            std::string::npos)
      << verify_junit(result);
}

TEST_F(ReleaseTest, RefusesWhatIsNoCost) {
  VerifyRequest request = fleet(100, 100);
  request.compared.by = RowsBy::kFile;
  EXPECT_EQ(verify_release(request).error().kind, ErrorKind::kUsage);
  request = fleet(100, 100);
  request.compared.measure = verify::Measure::kTotal;
  EXPECT_EQ(verify_release(request).error().kind, ErrorKind::kUsage);
  request = fleet(100, 100);
  // What a heap holds, Go's default, is no cost of work.
  StackProfile held;
  held.sample_types = {{held.strings.add("inuse_space"), held.strings.add("bytes")}};
  FunctionId function = held.add_function({.name = held.strings.add("f")});
  LocationId place = held.add_location({kNoMapping, RuntimeAddr{1}}, {{function, 1, 0}});
  held.add_sample({held.add_stack({place}), held.add_labels({})}, {100});
  held.normalize();
  request.compared.sides = {
      {{write("a.pb", write_pprof(held))}, {write("b.pb", write_pprof(held))}}};
  Result<VerifyResult> refused = verify_release(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnsupported) << refused.error().message;
}

TEST_F(ReleaseTest, IsReportedInEachForm) {
  VerifyResult result = result_of(fleet_with_units(150, 95));
  const std::string text = verify_text(result, {});
  EXPECT_NE(text.find("  verdict       fail: a unit of work costs "), std::string::npos) << text;
  EXPECT_NE(text.find("GROWN FUNCTION"), std::string::npos) << text;
  nlohmann::json json = verify_json(result);
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["functions"]["grown"][0]["name"], "f");
  EXPECT_EQ(json["cost"]["interval_level"], .975);
  EXPECT_FALSE(json["comparison"].contains("rows"));
  const std::string xml = verify_junit(result);
  EXPECT_NE(xml.find("<testsuite name=\"pgo verify\" tests=\"2\" failures=\"2\""),
            std::string::npos)
      << xml;
  nlohmann::json benchmark = verify_benchmark_json(result);
  EXPECT_EQ(benchmark[0]["name"], "cost of a unit of work");
  EXPECT_NEAR(benchmark[0]["value"].get<double>(), result.comparison.total->rate_b, 1e-9);
  EXPECT_EQ(benchmark.size(), 4u);  // and main, f, g
  const std::string markdown = verify_markdown(result, {});
  EXPECT_TRUE(markdown.starts_with("**fail: ")) << markdown;
  EXPECT_NE(markdown.find("; `f` (+"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| grown function |"), std::string::npos);
  EXPECT_NE(markdown.find(" | `f` |\n"), std::string::npos) << markdown;
}

// Whoever reads only one of the files needs to know.
TEST_F(ReleaseTest, HasItsWarningsInEachForm) {
  VerifyRequest request = fleet(100, 100);
  request.compared.sides[1].push_back(write("after_6.folded", "main;f 0\n"));
  const VerifyResult result = result_of(request);
  const std::vector<std::string> warnings = diff_warnings(result.comparison);
  ASSERT_EQ(warnings.size(), 3u);  // two profiles are copies
  ASSERT_TRUE(warnings[2].ends_with("after_6.folded: is left out: it has no samples"))
      << warnings[2];
  EXPECT_NE(verify_markdown(result, {}).find("\n- warning: "), std::string::npos);
  EXPECT_NE(verify_markdown(result, {}).find("after\\_6.folded: is left out: it has no samples\n"),
            std::string::npos)
      << verify_markdown(result, {});
  EXPECT_NE(verify_junit(result).find("\nwarning: " + warnings[2] + "\n</system-err>\n"),
            std::string::npos)
      << verify_junit(result);
}

TEST_F(ReleaseTest, ReportsADoubtAsASkippedTest) {
  for (VerifyRequest request : {fleet(150, 80), fleet_with_units(150, 80)}) {
    for (auto& side : request.compared.sides) side.resize(1);
    const std::string xml = verify_junit(result_of(request));
    const std::string all = request.compared.measure == verify::Measure::kShare ? "1" : "2";
    EXPECT_NE(xml.find("failures=\"0\" errors=\"0\" skipped=\"" + all + "\""), std::string::npos)
        << xml;
  }
}

// The cost passed, whatever one function did.
TEST_F(ReleaseTest, ReportsCostAndFunctionsApart) {
  const std::string xml = verify_junit(result_of(fleet_with_units(150, 50)));
  EXPECT_NE(xml.find("failures=\"1\" errors=\"0\" skipped=\"0\""), std::string::npos) << xml;
}

}  // namespace
}  // namespace pgo::release_verdict_test
