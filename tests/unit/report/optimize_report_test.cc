#include "pgo/report/optimize_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::optimize_report_test {
namespace {

using State = CheckOutcome::State;

// "note: TEXT" or "warning: TEXT".
std::string text_of(const Message& message) {
  return (message.kind == Message::Kind::kNote ? "note: " : "warning: ") + message.text;
}

std::vector<std::string> texts_of(const std::vector<Message>& messages) {
  std::vector<std::string> texts;
  for (const Message& message : messages) texts.push_back(text_of(message));
  return texts;
}

OptimizeResult optimized() {
  OptimizeResult result;
  result.input = "prog";
  result.output = "out";
  result.delivered = Delivered::kResult;
  result.program = "/usr/bin/llvm-bolt";
  result.version = "22.1.8";
  result.options = {"-reorder-blocks=ext-tsp"};
  result.profile = PostlinkProfile{};
  result.profile->kind = PostlinkProfileKind::kFdata;
  result.profile->evidence = Evidence::kBranchRecords;
  result.log.profiled_functions = 14;
  result.log.functions = 29;
  result.log.reordered_functions = 9;
  result.log.dyno_stats = {{"taken branches", 1000, 400}, {"other", 1, 2}};
  result.checks = {{Check::kProfile, State::kUnknown, "no figures"},
                   {Check::kElf},
                   {Check::kLoader, State::kSkipped, "static"},
                   {Check::kCommand}};
  return result;
}

OptimizeResult failed(Delivered delivered) {
  OptimizeResult result;
  result.input = "prog";
  result.output = "out";
  result.delivered = delivered;
  result.failure = Error{ErrorKind::kUnsupported, "prog: is stripped", "name it with \xFF{binary}"};
  return result;
}

TEST(OptimizeReport, ShowsWhatChangedAndWhatWasChecked) {
  EXPECT_EQ(
      format_optimize_report(optimized()),
      "out: prog optimized by BOLT (llvm-bolt 22.1.8)\n"
      "  functions     14 of 29 functions have a profile, the blocks of 9 were reordered\n"
      "  checks        profile unknown: no figures, elf passed, loader skipped: static, "
      "command passed\n"
      "\n"
      "  BY THE PROFILE  BEFORE  AFTER   CHANGE\n"
      "  taken branches   1 000    400  -60.0 %\n"
      "\n"
      "  llvm-bolt's own estimate for a run that takes exactly these branches. The aim is fewer\n"
      "  taken branches; only a measurement shows how much faster the program is.\n");
}

TEST(OptimizeReport, ShowsHowMuchOfTheProfileIsStale) {
  OptimizeResult result = optimized();
  result.log.stale_samples = 3;
  result.log.samples = 12;
  result.log.stale_functions = 5;
  result.log.inferred_functions = 4;
  EXPECT_NE(
      format_optimize_report(result).find(
          "  stale         25.0 % of the samples, in 5 functions whose code differs from what "
          "was profiled; blocks of 4 were matched\n"),
      std::string::npos);
  result.log.stale_functions = 1;
  EXPECT_NE(format_optimize_report(result).find(" of the samples, in 1 function whose code "),
            std::string::npos);
}

TEST(OptimizeReport, InferredCountsPromiseNothing) {
  OptimizeResult result = optimized();
  result.profile->evidence = Evidence::kPcSamples;
  result.profile->quality = Quality::kGood;
  EXPECT_EQ(
      format_optimize_report(result),
      "out: prog optimized by BOLT (llvm-bolt 22.1.8)\n"
      "  functions     14 of 29 functions have a profile, the blocks of 9 were reordered\n"
      "  checks        profile unknown: no figures, elf passed, loader skipped: static, "
      "command passed\n"
      "  branches      not known: the counts were inferred, not recorded. Measure whether the "
      "result is faster\n");
  nlohmann::json json = optimize_report_json(result);
  EXPECT_EQ(json["dyno_stats"], nlohmann::json::object());
  EXPECT_EQ(json["profile"],
            nlohmann::json({{"kind", "fdata"}, {"evidence", "pc-samples"}, {"quality", "good"}}));
}

TEST(OptimizeReport, CountsOfUnknownEvidenceHaveAnEstimateOnCondition) {
  OptimizeResult result = optimized();
  result.profile->evidence = Evidence::kUnknown;
  const std::string text = format_optimize_report(result);
  EXPECT_TRUE(
      text.ends_with("  llvm-bolt's own estimate for a run that takes exactly these branches. It "
                     "is unknown whether\n"
                     "  the branches were recorded or inferred. If they were inferred, the "
                     "estimate means nothing.\n"
                     "  Measure whether the program is faster.\n"))
      << text;
}

TEST(OptimizeReport, FewBranchRecordsPromiseLess) {
  OptimizeResult result = optimized();
  result.profile->evidence = Evidence::kSoftwareBranchRecords;
  const std::string text = format_optimize_report(result);
  EXPECT_TRUE(
      text.ends_with("these branches. Single steps record\n"
                     "  few of them, so other runs may gain much less. Measure whether the "
                     "program is faster.\n"))
      << text;
}

TEST(OptimizeReport, JsonHasTheFigures) {
  nlohmann::json json = optimize_report_json(optimized());
  EXPECT_EQ(json["optimized"], true);
  EXPECT_EQ(json["delivered"], "result");
  EXPECT_EQ(json["reason"], nullptr);
  EXPECT_FALSE(json.contains("error"));
  EXPECT_EQ(json["profile"], nlohmann::json({{"kind", "fdata"}, {"evidence", "branch-records"}}));
  EXPECT_EQ(json["functions"]["profiled"], 14);
  EXPECT_EQ(json["functions"]["stale"], nullptr);
  EXPECT_EQ(json["dyno_stats"]["taken branches"],
            nlohmann::json({{"before", 1000}, {"after", 400}}));
  EXPECT_EQ(json["checks"], nlohmann::json({{"profile", "unknown: no figures"},
                                            {"elf", "passed"},
                                            {"loader", "skipped: static"},
                                            {"command", "passed"}}));
}

TEST(OptimizeReport, TellsHowMuchWasTranslated) {
  OptimizeResult result = optimized();
  result.profile->moved = {
      "prog.bolt", "prog", {.seen = 200, .whole = 150, .cut = 40, .dropped = 10}};
  const nlohmann::json moved = optimize_report_json(result)["profile"]["moved"];
  EXPECT_EQ(moved["from"], "prog.bolt");
  EXPECT_EQ(moved["to"], "prog");
  EXPECT_EQ(moved["dropped"], 10);
  EXPECT_EQ(text_of(optimize_messages(result).at(0)),
            "note: prog.bolt: 75.0 % of the traces were translated to prog, 20.0 % in part");
}

TEST(OptimizeReport, JsonSaysWhyTheInputWasDelivered) {
  nlohmann::json json = optimize_report_json(failed(Delivered::kInput));
  EXPECT_EQ(json["optimized"], false);
  EXPECT_EQ(json["delivered"], "input");
  EXPECT_EQ(json["reason"], "prog: is stripped; name it with \xFF{binary}");
  EXPECT_EQ(json["error"], nlohmann::json({{"kind", "unsupported"},
                                           {"message", "prog: is stripped"},
                                           {"advice", "name it with \xFF{binary}"}}));
}

TEST(OptimizeReport, AFailureComesFirstAndLast) {
  EXPECT_EQ(optimize_failure(failed(Delivered::kNothing)),
            (Error{ErrorKind::kUnsupported, "prog is NOT optimized: prog: is stripped",
                   "name it with \xFF{binary}"}));
  OptimizeResult stopped = failed(Delivered::kNothing);
  stopped.on_failure = OnFailure::kError;
  EXPECT_EQ(text_of(delivery_message(stopped)),
            "note: out is not written (\xFF{on-failure} error)");
  OptimizeResult stale = failed(Delivered::kInput);
  stale.on_failure = OnFailure::kKeepStale;
  EXPECT_EQ(text_of(delivery_message(stale)),
            "warning: out is prog as it was, NOT optimized, and the exit code is 0 "
            "(\xFF{on-failure} keep-stale); \xFF{on-failure=error} makes this an error");
  OptimizeResult refused = failed(Delivered::kNothing);
  refused.refused_counts = true;
  EXPECT_EQ(text_of(delivery_message(refused)),
            "note: out is not written (\xFF{on-inferred} error)");
  refused.delivered = Delivered::kInput;
  EXPECT_EQ(text_of(delivery_message(refused)),
            "warning: out is prog as it was, NOT optimized, and the exit code is 0 "
            "(\xFF{on-inferred} keep); \xFF{on-inferred=error} makes this an error");
  EXPECT_EQ(text_of(delivery_message(failed(Delivered::kInput))),
            "warning: out is prog as it was, NOT optimized, and the exit code is 0 "
            "(\xFF{on-failure} keep); \xFF{on-failure=error} makes this an error");
}

TEST(OptimizeReport, MessagesComeInOrder) {
  OptimizeResult result = optimized();
  result.missing_options = {"-icf: none"};
  result.log.split_on_input = 2;
  result.replaced_input = true;
  result.diagnostics.warn("llvm-bolt", "odd");
  result.log.has_unknown_warnings = true;
  result.profile->converted.emplace();
  result.profile->converted->diagnostics.warn("llvm-bolt", "odd too");
  result.profile->converted->diagnostics.warn("other", "perf2bolt: odd");
  result.profile->converted->errors = {"BOLT-ERROR: lost"};
  EXPECT_EQ(
      texts_of(optimize_messages(result)),
      (std::vector<std::string>{
          "warning: llvm-bolt 22.1.8 does not have -icf: none",
          "warning: 2 parts of functions were split off by the compiler, which llvm-bolt supports "
          "with limits; -fno-reorder-blocks-and-partition keeps functions whole",
          "note: out is replaced: the binary before BOLT is not kept, and later profiles need it",
          "warning: odd", "warning: perf2bolt: odd",
          "warning: perf2bolt wrote a profile, but reports an error: BOLT-ERROR: lost",
          "note: \xFF{log} FILE keeps all that llvm-bolt and perf2bolt print"}));
  result.log.has_unknown_warnings = false;
  EXPECT_EQ(texts_of(optimize_messages(result)).back(),
            "warning: perf2bolt wrote a profile, but reports an error: BOLT-ERROR: lost");
  result.profile->converted->has_unknown_warnings = true;
  result.log_file = "log";
  result.log_incomplete = true;
  std::vector<std::string> texts = texts_of(optimize_messages(result));
  EXPECT_EQ(texts[texts.size() - 2], "note: log has all that llvm-bolt and perf2bolt printed");
  EXPECT_EQ(texts.back(),
            "warning: log: not all that llvm-bolt and perf2bolt printed could be written");
}

}  // namespace
}  // namespace pgo::optimize_report_test
