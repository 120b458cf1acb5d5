#include "pgo/paired_runs/count_runs.h"

#include <gtest/gtest.h>

#include "pgo/report/counted_runs_report.h"

namespace pgo::count_runs_test {
namespace {

// Two runs of each side.
CountedRunsResult judge(EventCounts before, EventCounts after, const Limits& limits = {}) {
  return judge_counts({{{before, before}, {after, after}}}, limits);
}

TEST(CountRuns, PassWhenNeitherGrew) {
  CountedRunsResult result = judge({1000, 100}, {980, 90});
  EXPECT_EQ(result.outcome, Outcome::kPass);
  EXPECT_DOUBLE_EQ(result.instructions.ratio, .98);
  EXPECT_TRUE(result.taken_branches.is_exact());
  EXPECT_EQ(counts_sentence(result, {}),
            "pass: the new program executes 2.0 % fewer instructions and takes 10.0 % fewer "
            "branches");
  EXPECT_EQ(judge({1000, 100}, {1000, 100}).outcome, Outcome::kPass);
  EXPECT_EQ(counts_sentence(judge({1000, 100}, {1000, 100}), {}),
            "pass: the new program executes as many instructions and takes as many branches");
}

TEST(CountRuns, FailWhenInstructionsGrew) {
  CountedRunsResult result = judge({1000, 100}, {1100, 90});
  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(counts_sentence(result, {}),
            "fail: the new program executes 10.0 % more instructions and takes 10.0 % fewer "
            "branches; the limit is 1.0 % more");
  EXPECT_EQ(judge({1000, 100}, {1100, 90}, {.growth = .2}).outcome, Outcome::kPass);
}

TEST(CountRuns, DecideNothingWhenOnlyBranchesGrew) {
  CountedRunsResult result = judge({1000, 100}, {1000, 110});
  EXPECT_EQ(result.outcome, Outcome::kInconclusive);
  EXPECT_TRUE(result.only_branches_grew);
  // No mark of an option is left in a table.
  EXPECT_NE(counts_text(result, {})
                .find("only measured times show whether more taken branches cost time\n"),
            std::string::npos)
      << counts_text(result, {});
}

TEST(CountRuns, ExpectADrop) {
  const Limits limits{.drop = .05};
  EXPECT_EQ(judge({1000, 100}, {940, 100}, limits).outcome, Outcome::kPass);
  EXPECT_EQ(judge({1000, 100}, {960, 100}, limits).outcome, Outcome::kInconclusive);
  EXPECT_EQ(judge({1000, 100}, {1020, 100}, limits).outcome, Outcome::kFail);
}

TEST(CountRuns, ShowTheRangeWhereRunsDiffer) {
  CountedRunsResult result =
      judge_counts({{{{1000, 100}, {1000, 100}}, {{990, 98}, {1020, 99}}}}, {});
  EXPECT_EQ(result.outcome, Outcome::kInconclusive);  // 1 % less to 2 % more
  EXPECT_FALSE(result.instructions.is_exact());
  EXPECT_DOUBLE_EQ(result.instructions.interval.low, .99);
  EXPECT_DOUBLE_EQ(result.instructions.interval.high, 1.02);
  EXPECT_EQ(counts_sentence(result, {}),
            "inconclusive: the new program executes 1.0 % fewer to 2.0 % more instructions and "
            "takes 1.0 % to 2.0 % fewer branches; the counts of equal runs differ too much to "
            "decide");
  const std::string text = counts_text(result, {});
  EXPECT_NE(text.find("990 to 1 020"), std::string::npos) << text;
  EXPECT_EQ(text.find("exact"), std::string::npos) << text;
}

TEST(CountRuns, NameNoChangeBelowATenthOfAPercent) {
  const CountedRunsResult result =
      judge_counts({{{{100'000, 100}, {100'001, 100}}, {{100'000, 100}, {100'000, 100}}}}, {});
  EXPECT_EQ(counts_sentence(result, {}),
            "pass: the new program executes as many instructions and takes as many branches");
}

// A faster server does more requests in a load of a fixed time.
TEST(CountRuns, DecideNothingWhenLoadsDidOtherWork) {
  auto judge_loads = [](EventCounts after, CountRange requests) {
    return judge_counts({{{{1000, 100}, {1000, 100}}, {after, after}}}, {}, requests);
  };
  for (const EventCounts& after : {EventCounts{900, 90}, EventCounts{2000, 200}})
    EXPECT_EQ(judge_loads(after, {4000, 5000}).outcome, Outcome::kInconclusive);
  EXPECT_EQ(counts_sentence(judge_loads({900, 90}, {4000, 5000}), {}),
            "inconclusive: the new program executes 10.0 % fewer instructions and takes 10.0 % "
            "fewer branches; the loads did 4 000 to 5 000 requests, so they are not the same work: "
            "let the load do a fixed number of requests, not run for a fixed time");
  EXPECT_EQ(judge_loads({900, 90}, {4000, 4000}).outcome, Outcome::kPass);
  EXPECT_EQ(judge_loads({2000, 200}, {4000, 4000}).outcome, Outcome::kFail);
}

TEST(CountRuns, NeedTheirPlugin) {
  PairedRunsRequest request;
  request.commands = {"true", "true"};
  Result<CountedRunsResult> result = count_runs(request, {.qemu = "/none/qemu"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(),
            (Error{ErrorKind::kUnsupported, "/none/qemu was not found",
                   "install QEMU's user-mode emulation (Debian, Ubuntu: apt-get install "
                   "qemu-user)"}));
}

}  // namespace
}  // namespace pgo::count_runs_test
