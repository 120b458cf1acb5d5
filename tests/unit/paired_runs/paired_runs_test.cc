#include "pgo/paired_runs/paired_runs.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pgo/base/temporary_directory.h"
#include "pgo/report/paired_runs_report.h"

namespace pgo::paired_runs_test {
namespace {

// A shell that counts: its CPU time is far above the clock's steps and the start of a program.
std::string loop(int rounds) {
  return "sh -c 'i=0; while [ $i -lt " + std::to_string(rounds) + " ]; do i=$((i+1)); done'";
}

PairedRunsRequest request(const std::string& before, const std::string& after) {
  PairedRunsRequest request;
  request.commands = {before, after};
  request.max_pairs = kFirstLook;
  return request;
}

TEST(PairedRuns, TellATenthFromTheWhole) {
  Result<PairedRunsResult> result = run_pairs(request(loop(200'000), loop(20'000)));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->outcome, Outcome::kPass);
  EXPECT_LT(result->cost.ratio, .6);
  EXPECT_EQ(result->pairs, kFirstLook);
  ASSERT_GE(result->figures.size(), 4u);
  EXPECT_GT(result->figures[0].medians[0], result->figures[0].medians[1]);
  EXPECT_TRUE(runs_sentence(*result, {}).starts_with("pass: the new program takes "));
  Result<PairedRunsResult> reversed = run_pairs(request(loop(20'000), loop(200'000)));
  ASSERT_TRUE(reversed) << reversed.error().message;
  EXPECT_EQ(reversed->outcome, Outcome::kFail);
}

TEST(PairedRuns, RefuseOtherOutput) {
  Result<PairedRunsResult> result =
      run_pairs(request("printf 'same\\none\\n'", "printf 'same\\ntwo\\n'"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kMismatch);
  EXPECT_EQ(result.error().message,
            "printf 'same\\none\\n' and printf 'same\\ntwo\\n' print different output, from line 2 "
            "on");
  PairedRunsRequest any = request("echo one", "echo two");
  any.compare_outputs = false;
  EXPECT_TRUE(run_pairs(any));
}

TEST(PairedRuns, StopAtAFailure) {
  Result<PairedRunsResult> result = run_pairs(request("true", "sh -c 'echo broken >&2; exit 7'"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "sh -c 'echo broken >&2; exit 7': failed with exit code 7: broken");
}

// The command is the shell's: all of it runs, and its last exit status counts.
TEST(PairedRuns, RunWholeCommands) {
  EXPECT_FALSE(run_pairs(request("true; exit 7", "true")));
  EXPECT_FALSE(run_pairs(request("cd / && false", "true")));
  Result<PairedRunsResult> other = run_pairs(request("X=1; echo $X", "Y=2 sh -c 'echo $Y'"));
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("print different output"), std::string::npos);
}

TEST(PairedRuns, NeedSeveralPairs) {
  PairedRunsRequest few = request("true", "true");
  few.max_pairs = kFirstLook - 1;
  EXPECT_EQ(run_pairs(few).error().message, "\xFF{pairs} 6: at least 7 are needed");
}

TEST(PairedRuns, SayWhatMakesThemUncertain) {
  PairedRunsResult result;
  result.outcome = Outcome::kInconclusive;
  result.cost = {1.0, {.98, 1.02}, .08};
  result.times_pairs = 3.2;
  result.noisy = result.too_short = true;
  EXPECT_EQ(
      runs_sentence(result, {}),
      "inconclusive: the new program takes 2.0 % less to 2.0 % more CPU time; about 4 times as "
      "many pairs are needed to decide");
  result.times_pairs.reset();
  EXPECT_EQ(
      runs_sentence(result, {}),
      "inconclusive: the new program takes 2.0 % less to 2.0 % more CPU time; the estimate is "
      "between the limits for pass and fail, so more pairs will not decide");
  EXPECT_EQ(runs_messages(result).size(), 2u);
}

TEST(PairedRuns, SayWhatOfLoadsIsCompared) {
  PairedRunsResult result;
  result.outcome = Outcome::kPass;
  result.cost = {.9, {.88, .92}, .01};
  result.of_service = result.per_request = true;
  EXPECT_EQ(runs_sentence(result, {}),
            "pass: the new program takes 8.0 % to 12.0 % less CPU time per request");
  EXPECT_EQ(runs_json(result, {})["per"], "request");
  EXPECT_TRUE(runs_messages(result).empty());
  result.per_request = false;
  result.equal_wall_time = 10.02;
  EXPECT_EQ(runs_json(result, {})["per"], "load");
  ASSERT_EQ(runs_messages(result).size(), 1u);
  EXPECT_TRUE(runs_messages(result)[0].text.starts_with(
      "loads took 10.0 s each, and their output has no number of requests"))
      << runs_messages(result)[0].text;
}

}  // namespace
}  // namespace pgo::paired_runs_test
