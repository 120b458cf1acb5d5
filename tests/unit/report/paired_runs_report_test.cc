#include "pgo/report/paired_runs_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/report/counted_runs_report.h"

namespace pgo::paired_runs_report_test {
namespace {

PairedRunsResult timed() {
  PairedRunsResult result;
  result.outcome = Outcome::kFail;
  result.cost = {1.1, {1.08, 1.12}, .01};
  result.pairs = 7;
  result.looks = 1;
  result.figures = {{"CPU time", "s", {1, 1.1}, PairEstimate{1.1, {1.09, 1.11}, .01}},
                    {"peak memory", "bytes", {1 << 20, 1 << 20}, PairEstimate{1, {1, 1}, 0}},
                    {"throughput", "requests/s", {1000, 900}, PairEstimate{.9, {.89, .91}, .01}},
                    {"mean latency", "ms", {1.5, 1.75}, PairEstimate{1.167, {1.1, 1.2}, .01}},
                    {"instructions", "", {1234567, 1234568}, PairEstimate{1, {1, 1}, 0}}};
  return result;
}

TEST(PairedRunsReport, PrintsEachFigureInItsUnit) {
  EXPECT_EQ(
      runs_text(timed(), {}),
      "  verdict       fail: the new program takes 8.0 % to 12.0 % more CPU time; the limit "
      "is 1.0 % more\n"
      "  runs          7 pairs, evaluated 1 time\n"
      "\n"
      "  MEDIAN                 BEFORE           AFTER  CHANGE IN PAIRS  95 % INTERVAL\n"
      "  CPU time              1.000 s         1.100 s          +10.0 %  9.0 % to 11.0 % more\n"
      "  peak memory            1.0 MB          1.0 MB            0.0 %  the same\n"
      "  throughput    1000 requests/s  900 requests/s          -10.0 %  9.0 % to 11.0 % less\n"
      "  mean latency          1.50 ms         1.75 ms          +16.7 %  10.0 % to 20.0 % more\n"
      "  instructions        1 234 567       1 234 568            0.0 %  the same\n");
}

TEST(PairedRunsReport, SaysNothingOfTheRatioOfWhatIsTooShort) {
  PairedRunsResult result = timed();
  result.figures = {{"system time", "s", {.01, 0}, std::nullopt}};
  EXPECT_NE(runs_text(result, {})
                .find("system time  0.010 s  0.000 s                   too short to measure"),
            std::string::npos)
      << runs_text(result, {});
  EXPECT_FALSE(runs_json(result, {})["figures"][0].contains("ratio"));
  EXPECT_FALSE(runs_benchmark_json(result)[0].contains("range"));
}

TEST(PairedRunsReport, WritesMarkdown) {
  const std::string text = runs_markdown(timed(), {});
  EXPECT_TRUE(text.starts_with("**fail: the new program takes 8.0 % to 12.0 % more CPU time"))
      << text;
  EXPECT_NE(text.find("\n| median | before | after | change in pairs | 95 % interval |\n"
                      "|---|--:|--:|--:|---|\n| CPU time | 1.000 s | 1.100 s |"),
            std::string::npos)
      << text;
}

TEST(PairedRunsReport, WritesOneTestCase) {
  const std::string xml = runs_junit(timed(), {});
  EXPECT_NE(xml.find("tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""), std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<failure message=\"fail: the new program takes"), std::string::npos) << xml;
}

TEST(PairedRunsReport, WritesMeasurementsOfWhichLessIsBetter) {
  const nlohmann::json list = runs_benchmark_json(timed());
  ASSERT_EQ(list.size(), 4u);  // not the throughput
  EXPECT_EQ(list[0]["name"], "CPU time");
  EXPECT_EQ(list[0]["value"], 1.1);
  EXPECT_EQ(list[0]["range"], "± 0.010");
}

TEST(PairedRunsReport, SpeaksOfLoadsOfServices) {
  PairedRunsResult result = timed();
  result.of_service = result.too_short = true;
  result.diagnostics.warn("killed-server", "another");
  EXPECT_NE(runs_text(result, {}).find("\n  loads         7 pairs"), std::string::npos);
  const std::vector<Message> messages = runs_messages(result);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[1].text,
            "a load takes less than 0.05 s of CPU time of the server: give it more work");
  EXPECT_EQ(messages[0].text, "another");
  const nlohmann::json warnings = runs_json(result, {})["warnings"];
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0],
            (nlohmann::json{{"kind", "killed-server"}, {"messages", {"another"}}, {"count", 1}}));
  EXPECT_EQ(warnings[1]["kind"], "short-runs");
  EXPECT_TRUE(
      runs_markdown(result, {})
          .ends_with(
              "\n- warning: another\n- warning: a load takes less than 0.05 s of CPU time of the "
              "server: give it more work\n"));
  EXPECT_TRUE(
      runs_junit(result, {}).ends_with(": give it more work\n</system-err>\n</testsuite>\n"));
  EXPECT_EQ(runs_json(result, {})["kind"], "loads");
}

TEST(CountedRunsReport, HasCountsAndTheirRanges) {
  CountedRunsResult result =
      judge_counts({{{{1000, 100}, {1000, 100}}, {{900, 100}, {904, 100}}}}, {});
  result.diagnostics.warn("not-counted", "a child ran uncounted");
  const nlohmann::json json = counts_json(result, {});
  EXPECT_EQ(json["verdict"], "pass");
  EXPECT_EQ(json["counts"][0]["before"], (nlohmann::json{1000, 1000}));
  EXPECT_EQ(json["counts"][0]["after"], (nlohmann::json{900, 904}));
  EXPECT_EQ(json["counts"][0]["exact"], false);
  EXPECT_EQ(json["counts"][1]["exact"], true);
  EXPECT_EQ(counts_benchmark_json(result)[0]["value"], 902);
  EXPECT_EQ(counts_benchmark_json(result)[0]["range"], "± 2");
  EXPECT_FALSE(counts_benchmark_json(result)[1].contains("range"));
  EXPECT_NE(counts_markdown(result, {}).find("| taken branches | 100 | 100 | 0.0 % | exact |"),
            std::string::npos)
      << counts_markdown(result, {});
  EXPECT_TRUE(counts_markdown(result, {}).ends_with("\n- warning: a child ran uncounted\n"));
  EXPECT_NE(counts_junit(result, {}).find("<system-out>pass: "), std::string::npos);
  EXPECT_NE(counts_junit(result, {}).find("warning: a child ran uncounted\n"), std::string::npos);
}

}  // namespace
}  // namespace pgo::paired_runs_report_test
