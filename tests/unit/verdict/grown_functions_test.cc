#include "pgo/verdict/grown_functions.h"

#include <gtest/gtest.h>

namespace pgo::grown_functions_test {
namespace {

// A row of shares whose samples are the only uncertainty: `samples` of each side in all.
DiffRow row(const std::string& name, double before, double after, const std::string& file = "",
            double samples = 100000) {
  verify::RowComparison figures{
      .rate_a = before, .rate_b = after, .estimate = {{before, samples}, {after, samples}}};
  return {{.name = name, .binary = "server", .file = file}, figures, figures};
}

DiffResult result_of(std::vector<DiffRow> rows) {
  DiffResult result;
  result.rows = std::move(rows);
  return result;
}

std::string names_of(const DiffResult& result, const FunctionVerdict& verdict) {
  std::string names;
  for (const GrownFunction& function : verdict.grown)
    names += result.rows[function.row].key.name + " ";
  for (size_t moved : verdict.moved) names += "(" + result.rows[moved].key.name + ") ";
  for (size_t shifted : verdict.shifted) names += "[" + result.rows[shifted].key.name + "] ";
  return names;
}

std::string grown(std::vector<DiffRow> rows, const Limits& limits = {}) {
  DiffResult result = result_of(std::move(rows));
  return names_of(result, judge_functions(result, limits));
}

TEST(GrownFunctions, AreAboveTheLimitForCertain) {
  EXPECT_EQ(grown({row("doubled", .1, .2), row("larger", .1, .11), row("smaller", .2, .1)}),
            "doubled ");
  // By more than 20 %, and not surely.
  EXPECT_EQ(grown({row("f", .01, .013, "", 1000)}), "");
  EXPECT_EQ(grown({row("f", .01, .013, "", 1e6)}), "f ");
  EXPECT_EQ(grown({row("f", .01, .013, "", 1e6)}, {.function_growth = .5}), "");
}

TEST(GrownFunctions, AreListedWithTheLargestFirst) {
  EXPECT_EQ(grown({row("a", .01, .05), row("b", .1, .3), row("c", .02, .2), row("d", .87, .45)}),
            "b c a ");
}

TEST(GrownFunctions, AreNotSmall) {
  EXPECT_EQ(grown({row("small", .001, .003)}), "");
  EXPECT_EQ(grown({row("small", .001, .003)}, {.function_share = .001}), "small ");
  DiffResult thin = result_of({row("f", .1, .2)});
  thin.rows[0].flat.verdict = verify::Verdict::kTooThin;
  EXPECT_EQ(judge_functions(thin, {}).tested, 0u);
}

// What is new was nowhere before: unless it took over what others of its file lost.
TEST(GrownFunctions, AreNotThoseThatWereRenamed) {
  EXPECT_EQ(grown({row("new", 0, .1, "a.cc")}), "new ");
  EXPECT_EQ(grown({row("new", 0, .1, "a.cc"), row("old", .1, 0, "a.cc")}), "(new) ");
  EXPECT_EQ(grown({row("new", 0, .1, "a.cc"), row("old", .1, 0, "b.cc")}), "new ");
  EXPECT_EQ(grown({row("new", 0, .1, "a.cc"), row("old", .05, 0, "a.cc")}), "new ");
  // Split in two, which together cost what the one did; and a third.
  EXPECT_EQ(grown({row("new1", 0, .05, "a.cc"), row("new2", 0, .05, "a.cc"),
                   row("new3", 0, .05, "a.cc"), row("old", .1, 0, "a.cc")}),
            "new3 (new1) (new2) ");
}

// With --physical, a function that is inlined now is gone, and its caller has its cost.
TEST(GrownFunctions, AreNotPhysicalOnesThatOthersOfTheirFileWereInlinedInto) {
  DiffResult result = result_of({row("main", .01, .1, "a.cc"), row("next", .1, 0, "a.cc")});
  EXPECT_EQ(names_of(result, judge_functions(result, {})), "main ");
  result.physical = true;
  EXPECT_EQ(names_of(result, judge_functions(result, {})), "[main] ");
  result.rows[1] = row("next", .06, 0, "a.cc");
  EXPECT_EQ(names_of(result, judge_functions(result, {})), "main ");
}

// The same with what it calls.
DiffRow with_calls(DiffRow one, double before, double after) {
  one.cumulative = row("", before, after).flat;
  return one;
}

// Another build inlines other functions, which moves cost between them and their callers.
TEST(GrownFunctions, AreNotThoseThatOthersWereInlinedInto) {
  const DiffRow inlined = with_calls(row("callee", .1, .02), .1, .02);
  EXPECT_EQ(grown({with_calls(row("caller", .1, .18), .3, .3), inlined}), "[caller] ");
  // What it calls did not get cheaper.
  EXPECT_EQ(grown({with_calls(row("caller", .1, .18), .3, .37)}), "caller ");
  // Everything is below main(), so that nothing can be told of it.
  EXPECT_EQ(grown({with_calls(row("main", .1, .18), 1, 1)}), "main ");
}

// What chance explains needs no inlining to explain it.
TEST(GrownFunctions, AreShiftedOnlyIfTheyGrewForCertain) {
  const DiffRow inlined = with_calls(row("callee", .1, .02, "", 100), .1, .02);
  EXPECT_EQ(grown({with_calls(row("caller", .1, .13, "", 100), .3, .3), inlined}), "");
}

TEST(GrownFunctions, AreNotThoseThatAreInlinedLess) {
  const DiffRow caller = with_calls(row("caller", .3, .2), .4, .4);
  EXPECT_EQ(grown({with_calls(row("callee", .05, .15), .05, .15), caller}), "[callee] ");
  EXPECT_EQ(grown({with_calls(row("callee", 0, .1), 0, .1), caller}), "[callee] ");
  EXPECT_EQ(grown({with_calls(row("callee", .05, .25), .05, .25), caller}), "callee ");
  // The caller really got cheaper.
  EXPECT_EQ(grown({with_calls(row("callee", .05, .15), .05, .15),
                   with_calls(row("caller", .3, .2), .4, .3)}),
            "callee ");
  // ... or is of another binary.
  DiffRow elsewhere = caller;
  elsewhere.key.binary = "other";
  EXPECT_EQ(grown({with_calls(row("callee", .05, .15), .05, .15), elsewhere}), "callee ");
}

// Many small functions that are gone, or files that are not known, explain nothing.
TEST(GrownFunctions, AreNotExplainedByWhateverIsGone) {
  std::vector<DiffRow> rows{row("new", 0, .05, "mod.rs")};
  for (int i = 0; i < 60; i++) rows.push_back(row("old" + std::to_string(i), .001, 0, "mod.rs"));
  EXPECT_EQ(grown(rows), "new ");
  EXPECT_EQ(grown({row("new", 0, .1), row("old", .1, 0)}), "new ");
}

TEST(GrownFunctions, SayHowMuchIsKnownNotToHaveGrown) {
  DiffResult result = result_of({row("sure", .3, .3), row("unsure", .1, .1, "", 100)});
  FunctionVerdict verdict = judge_functions(result, {});
  EXPECT_EQ(verdict.tested, 2u);
  EXPECT_NEAR(verdict.known, .3, 1e-9);  // of all cost
}

// A share of 90 % cannot grow by 20 %, whatever the function costs.
TEST(GrownFunctions, AreNotLookedForWhereSharesCannotGrow) {
  DiffResult result = result_of({row("nearly all", .9, .96), row("rest", .1, .04)});
  FunctionVerdict verdict = judge_functions(result, {});
  EXPECT_EQ(verdict.tested, 1u);
  EXPECT_NEAR(verdict.known, .07, 1e-9);
  result.total = verify::RowComparison{.rate_a = 1, .rate_b = 1, .estimate = {{}, {}}};
  EXPECT_EQ(judge_functions(result, {}).tested, 2u);  // costs can
}

// A canary of one host has few samples: what it has more of by chance is not chosen for that.
TEST(GrownFunctions, AreChosenByTheSamplesOfBothSides) {
  DiffResult result = result_of({row("f", .004, .02)});
  EXPECT_EQ(judge_functions(result, {}).tested, 1u);
  result.sides[0].samples = 990'000, result.sides[1].samples = 10'000;
  EXPECT_EQ(judge_functions(result, {}).tested, 0u);
}

// What has no name is no function: a program whose binary was not given.
TEST(GrownFunctions, HaveNames) {
  DiffResult result =
      result_of({row("[libc.so.6]", .1, .3), row("[server]", .6, .5), row("f", .3, .2)});
  FunctionVerdict verdict = judge_functions(result, {});
  EXPECT_EQ(names_of(result, verdict), "");
  EXPECT_EQ(verdict.tested, 1u);
  EXPECT_NEAR(verdict.nameless[0], .7, 1e-9);
  EXPECT_NEAR(verdict.nameless[1], .8, 1e-9);
}

// A release may have moved its work there.
TEST(GrownFunctions, MayBeTheKernel) {
  DiffResult result = result_of({row("[kernel]", .1, .3), row("f", .9, .7)});
  FunctionVerdict verdict = judge_functions(result, {});
  EXPECT_EQ(names_of(result, verdict), "[kernel] ");
  EXPECT_EQ(verdict.nameless[1], 0);
  result.is_of_same_code = false;  // cycles, and cycles:u of some hosts
  EXPECT_EQ(names_of(result, judge_functions(result, {})), "");
  result = result_of({row("[kernel]", 0, .3), row("read", .3, 0), row("f", .7, .7)});
  verdict = judge_functions(result, {});
  EXPECT_EQ(names_of(result, verdict), "");
  EXPECT_NEAR(verdict.nameless[1], .3, 1e-9);
}

// A release that does less in the kernel: the shares of all else grow by half.
TEST(GrownFunctions, GrowMoreThanMostShares) {
  DiffResult result = result_of(
      {row("[kernel]", .36, .04), row("f", .3, .45), row("g", .2, .3), row("h", .14, .21)});
  FunctionVerdict verdict = judge_functions(result, {});
  EXPECT_EQ(names_of(result, verdict), "");
  ASSERT_EQ(verdict.like_others.size(), 3u);
  EXPECT_EQ(result.rows[verdict.like_others[0]].key.name, "f");
  EXPECT_NEAR(verdict.growth_of_others, 1.5, 1e-9);
  // One of them grew more.
  result = result_of(
      {row("[kernel]", .36, .04), row("f", .24, .48), row("g", .2, .24), row("h", .2, .24)});
  EXPECT_EQ(names_of(result, judge_functions(result, {})), "f ");
  // Units of work tell.
  result.measure = verify::Measure::kPerUnit;
  result.total = verify::RowComparison{.rate_a = 1, .rate_b = 1, .estimate = {{}, {}}};
  EXPECT_TRUE(judge_functions(result, {}).like_others.empty());
}

TEST(GrownFunctions, AreNotInBinariesThatWereNotConverted) {
  const DiffResult result = result_of({row("[other binaries]", .3, .1), row("[libc.so.6]", .1, .1),
                                       row("[unknown code]", 0, .1), row("f", .6, .7)});
  const FunctionVerdict verdict = judge_functions(result, {});
  EXPECT_NEAR(verdict.other_binaries[0], .3, 1e-9);
  EXPECT_NEAR(verdict.other_binaries[1], .2, 1e-9);
  EXPECT_NEAR(verdict.nameless[1], .3, 1e-9);
}

// Shares are of everything, in whatever unit rates are.
TEST(GrownFunctions, ReadSharesOffCosts) {
  DiffResult result = result_of({row("f", 3, 9, "", 1000), row("g", 97, 97, "", 1000)});
  result.measure = verify::Measure::kPerUnit;
  result.total = verify::RowComparison{.rate_a = 100, .rate_b = 106, .estimate = {{}, {}}};
  EXPECT_EQ(names_of(result, judge_functions(result, {})), "f ");
  EXPECT_EQ(names_of(result, judge_functions(result, {.function_share = .1})), "");
}

}  // namespace
}  // namespace pgo::grown_functions_test
