#include "pgo/verdict/calibration.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/report/calibration_report.h"
#include "tests/data/temporary_files.h"

namespace pgo::calibration_test {
namespace {

class CalibrationTest : public test::TemporaryFiles {
 protected:
  // Files of one host each; of `odd`, every second host, f takes another number of samples.
  CalibrationRequest fleet(int hosts, int f, int odd) const {
    for (int host = 0; host < hosts; host++)
      write("fleet/web-" + std::to_string(host) + ".folded",
            "main;f " + std::to_string((host % 2 == 0 ? f : odd) + host) + "\nmain;g " +
                std::to_string(20000 - 5 * host) + "\n");
    CalibrationRequest request;
    request.compared.sides[0] = {path("fleet")};
    request.compared.jobs = 2;
    request.splits = 50;
    return request;
  }
};

TEST_F(CalibrationTest, FindsNoAlarmsWhereHostsAreAlike) {
  CalibrationRequest request = fleet(8, 5000, 5000);
  request.compared.measure = verify::Measure::kPerUnit;
  for (int host = 0; host < 8; host++)
    request.compared.member_units[0].push_back({"web-" + std::to_string(host) + ".folded", 1000});
  Result<Calibration> result = calibrate(request);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->splits.size(), 1u);
  const SplitVerdicts& splits = result->splits[0];
  EXPECT_EQ(splits.kind, SplitKind::kHosts);
  EXPECT_EQ(splits.count, 50u);
  EXPECT_EQ(splits.failed, 0u);
  EXPECT_EQ(splits.passed + splits.inconclusive, 50u);
  EXPECT_LT(*splits.growth, .01);
  EXPECT_GT(*splits.detectable, 0);
  EXPECT_EQ(calibration_json(*result)["calibration"][0]["fail"], 0);
  EXPECT_NE(calibration_text(*result).find("0.0 % of 50 splits fail"), std::string::npos)
      << calibration_text(*result);
}

// Half of the hosts do four times as much of f: where most of these are on one side, f seems to
// have grown.
TEST_F(CalibrationTest, TellsWhichLimitsSuffice) {
  CalibrationRequest request = fleet(12, 1000, 4000);
  request.splits = 200;
  request.limits.function_growth = 0;
  Result<Calibration> result = calibrate(request);
  ASSERT_TRUE(result) << result.error().message;
  const SplitVerdicts& splits = result->splits[0];
  EXPECT_FALSE(splits.growth);
  EXPECT_FALSE(splits.detectable);
  EXPECT_GT(splits.failed_by_functions, 5u);
  ASSERT_TRUE(splits.function_growth);
  EXPECT_GT(*splits.function_growth, 0);
  request.limits.function_growth = *splits.function_growth;
  Result<Calibration> with_limit = calibrate(request);
  ASSERT_TRUE(with_limit);
  EXPECT_LE(with_limit->splits[0].failed_by_functions, 5u);  // of 200: 2.5 %
}

TEST_F(CalibrationTest, DividesThePresentHostsToo) {
  for (int host = 0; host < 3; host++)
    for (int hour = 0; hour < 4; hour++)
      write("h/web-" + std::to_string(host) + "/" + std::to_string(hour) + ".folded",
            "f " + std::to_string(5000 + 1000 * host + hour) + "\ng 10000\n");
  CalibrationRequest request;
  request.compared.sides[0] = {path("h")};
  request.compared.path_template = "{host}/{hour}.folded";
  request.compared.jobs = 2;
  request.splits = 20;
  Result<Calibration> result = calibrate(request);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->splits.size(), 1u);  // three hosts are too few to be divided
  EXPECT_EQ(result->splits[0].kind, SplitKind::kWithinHosts);
  EXPECT_EQ(result->splits[0].failed, 0u);
  EXPECT_NE(calibration_text(*result).find("changes from day to day do not show"),
            std::string::npos);
}

TEST_F(CalibrationTest, IsTheSameWithAnyNumberOfThreads) {
  CalibrationRequest one = fleet(7, 1000, 2000), two = one;
  one.compared.jobs = 1, two.compared.jobs = 2;
  EXPECT_EQ(calibration_json(*calibrate(one)), calibration_json(*calibrate(two)));
}

TEST_F(CalibrationTest, NeedsUnitsOfEachHost) {
  CalibrationRequest request = fleet(8, 5000, 5000);
  request.compared.measure = verify::Measure::kPerUnit;
  request.compared.units[0] = 8000;
  EXPECT_EQ(calibrate(request).error().kind, ErrorKind::kUsage);
  request = fleet(8, 5000, 5000);
  request.compared.standardize = "endpoint";
  EXPECT_EQ(calibrate(request).error().kind, ErrorKind::kUsage);
}

TEST_F(CalibrationTest, NeedsHosts) {
  EXPECT_EQ(text_of(calibrate(fleet(3, 10, 10)).error()),
            "the fleet has 3 profiles with samples; to split it, at least 6 are needed; ");
  // Of too few hosts, profiles are split.
  CalibrationRequest request = fleet(6, 5000, 5000);
  request.compared.path_template = "{host}/{file}.folded";
  Result<Calibration> result = calibrate(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->members[0].host, "fleet");
  EXPECT_EQ(result->splits[0].kind, SplitKind::kProfiles);
  EXPECT_NE(calibration_text(*result).find(
                "the fleet has no other splits, so one of them is 5.0 %; hosts and times are "
                "ignored, so differences between them do not show"),
            std::string::npos)
      << calibration_text(*result);
}

// Six hosts have twenty splits. Files are read once, so a warning comes once, too.
TEST_F(CalibrationTest, JudgesEachSplitOfAFewHostsOnce) {
  CalibrationRequest request = fleet(6, 5000, 5000);
  request.splits = 200;
  request.compared.measure = verify::Measure::kPerUnit;
  for (int host = 0; host < 7; host++)
    request.compared.member_units[0].push_back({"web-" + std::to_string(host) + ".folded", 1000});
  Result<Calibration> result = calibrate(request);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->splits.size(), 1u);
  EXPECT_EQ(result->splits[0].count, 20u);
  EXPECT_TRUE(result->splits[0].are_all);
  EXPECT_EQ(calibration_json(*result)["calibration"][0]["all_splits"], true);
  const std::map<std::string, Diagnostics::Entry> warnings{
      {"units-without-profile",
       {{"the units of work of the before side name web-6.folded, which has no profile with "
         "samples"},
        1}}};
  EXPECT_EQ(result->diagnostics.entries(), warnings);
  const std::string markdown = calibration_markdown(*result);
  EXPECT_TRUE(markdown.ends_with(
      "\n- warning: the units of work of the before side name web-6.folded, which has no profile "
      "with samples\n"))
      << markdown;
  EXPECT_TRUE(
      markdown.starts_with("**" + calibration_sentence(*result) +
                           "**\n\n"
                           "- fleet: 6 profiles, split at random into halves; no code changed\n"
                           "- hosts:\n"
                           "  - 0.0 % of 20 splits fail: "))
      << markdown;
}

// A fleet on which no release would pass tells nothing about false alarms.
TEST_F(CalibrationTest, SaysThatNothingWasDecided) {
  CalibrationRequest request = fleet(6, 20, 20);
  request.compared.measure = verify::Measure::kPerUnit;
  request.limits.growth = .0001;
  request.limits.function_growth = 100;
  for (int host = 0; host < 6; host++)
    request.compared.member_units[0].push_back({"web-" + std::to_string(host) + ".folded", 1000});
  Result<Calibration> result = calibrate(request);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->splits[0].inconclusive, 20u) << calibration_text(*result);
  EXPECT_TRUE(decides_nothing(*result));
  EXPECT_EQ(calibration_sentence(*result),
            "no split fails, but none passes either: all are inconclusive, as releases of this "
            "fleet would be; add hosts or samples, or raise the limits");
  result->splits.push_back(result->splits[0]);
  result->splits[1].passed = 1;
  result->splits[1].inconclusive--;
  EXPECT_FALSE(decides_nothing(*result));
  EXPECT_EQ(calibration_sentence(*result), "at most 5 % of the splits fail");
}

}  // namespace
}  // namespace pgo::calibration_test
