#include "pgo/verdict/mixed_bodies.h"

#include <gtest/gtest.h>

#include "pgo/verdict/grown_functions.h"

namespace pgo::mixed_bodies_test {
namespace {

verify::RowComparison figures(double before, double after, double samples = 100000) {
  return {.rate_a = before, .rate_b = after, .estimate = {{before, samples}, {after, samples}}};
}

DiffRow row(const std::string& name, double before, double after) {
  const verify::RowComparison flat = figures(before, after);
  return {{.name = name, .binary = "server"}, flat, flat};
}

// One body, whose function is the last row of it: with all rows before that. What else costs is the
// rest of everything.
DiffResult body_of(std::vector<DiffRow> rows, double samples = 100000) {
  DiffResult result;
  ComparedBody body{rows.size() - 1, figures(0, 0), {}};
  double before = 0, after = 0;
  for (size_t i = 0; i < rows.size(); i++) {
    before += rows[i].flat.rate_a, after += rows[i].flat.rate_b;
    body.parts.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(body.row), {1, 1}});
  }
  body.figures = figures(before, after, samples);
  result.rows = std::move(rows);
  if (before < 1) result.rows.push_back(row("rest", 1 - before, 1 - after));
  result.bodies.push_back(body);
  return result;
}

std::string judged(const DiffResult& result) {
  const FunctionVerdict verdict = judge_functions(result, {});
  std::string names;
  for (const GrownFunction& function : verdict.grown)
    names += result.rows[function.row].key.name + " ";
  for (size_t shifted : verdict.shifted) names += "[" + result.rows[shifted].key.name + "] ";
  return names;
}

// Bodies of one function each; the last one is the partner of the others.
DiffResult partners_of(const std::vector<DiffRow>& rows) {
  DiffResult result;
  const size_t last = rows.size() - 1;
  double before = 0, after = 0;
  for (size_t i = 0; i < rows.size(); i++) {
    const auto at = static_cast<uint32_t>(i);
    result.bodies.push_back({i, rows[i].flat, {{.row = at, .body = at, .shares = {1, 1}}}});
    if (i == last) continue;
    result.bodies[i].partners.push_back(last);
    before += rows[i].flat.rate_a, after += rows[i].flat.rate_b;
  }
  for (size_t i = 0; i < last; i++) result.bodies.back().partners.push_back(i);
  before += rows[last].flat.rate_a, after += rows[last].flat.rate_b;
  result.rows = rows;
  result.rows.push_back(row("rest", 1 - before, 1 - after));
  return result;
}

// A virtual function is inlined into its caller.
TEST(MixedBodies, CountIfTheyGrewTogetherWithTheirPartners) {
  EXPECT_EQ(judged(partners_of({row("score", .3, .2), row("search", .12, .22)})), "[search] ");
  EXPECT_EQ(judged(partners_of({row("search", .12, .22), row("score", .3, .2)})), "[search] ");
  // The partner lost too little, or nothing; or both together grew.
  EXPECT_EQ(judged(partners_of({row("score", .3, .27), row("search", .12, .22)})), "search ");
  EXPECT_EQ(judged(partners_of({row("score", .3, .3), row("search", .12, .22)})), "search ");
  EXPECT_EQ(judged(partners_of({row("score", .05, .02), row("search", .02, .07)})), "search ");
  // In shares, the loss of one is hardly seen where the other gained much; but they did not grow
  // together.
  EXPECT_EQ(judged(partners_of({row("score", .43, .24), row("search", .14, .33)})), "[search] ");
  DiffResult strangers = partners_of({row("score", .3, .2), row("search", .12, .22)});
  for (ComparedBody& body : strangers.bodies) body.partners.clear();
  EXPECT_EQ(judged(strangers), "search ");
}

// The helpers of a sort, as another build arranges them.
TEST(MixedBodies, DoNotCountWhatMovedWithinThem) {
  const DiffResult result =
      body_of({row("compare", .02, .05), row("swap", .05, .02), row("sort", .13, .13)});
  EXPECT_EQ(judged(result), "[compare] ");
  DiffResult without = result;
  without.bodies.clear();
  EXPECT_EQ(judged(without), "compare ");
}

TEST(MixedBodies, CountIfTheyGrewAsAWhole) {
  const std::vector<DiffRow> rows{row("compare", .02, .09), row("swap", .05, .005),
                                  row("sort", .03, .03)};
  EXPECT_EQ(judged(body_of(rows)), "compare ");
  // By 25 %, surely more than nothing, not surely 20 %. It is certain of compare().
  EXPECT_EQ(judged(body_of(rows, 5000)), "compare ");
  EXPECT_EQ(judged(body_of(rows, 100)), "[compare] ");
  EXPECT_EQ(
      judged(body_of({row("compare", .02, .08), row("swap", .05, .005), row("sort", .03, .03)})),
      "[compare] ");  // by 15 %
}

// A regression makes nothing else of its body cheaper.
TEST(MixedBodies, AreNotThoseOfARegression) {
  EXPECT_EQ(
      judged(body_of({row("compare", .02, .05), row("swap", .05, .05), row("sort", .13, .13)})),
      "compare ");
  // ... even if something got a little cheaper.
  EXPECT_EQ(
      judged(body_of({row("compare", .02, .05), row("swap", .05, .038), row("sort", .13, .13)})),
      "compare ");
}

// The growth of one function lowers the shares of all others, which then seem to have lost.
TEST(MixedBodies, AreNotThoseWhoseOtherSharesFell) {
  // compare() costs ten times as much: everything doubles but for the rest.
  EXPECT_EQ(judged(body_of({row("compare", .1, .55), row("swap", .4, .2), row("sort", .3, .15)})),
            "compare ");
}

// A body with nearly all cost cannot grow by 20 %, so what others lost must explain all.
TEST(MixedBodies, ExplainAllIfTheyAreNearlyEverything) {
  EXPECT_EQ(judged(body_of({row("compare", .1, .2), row("swap", .3, .2), row("sort", .6, .6)})),
            "compare ");
  EXPECT_EQ(judged(body_of({row("compare", .1, .2), row("swap", .3, .15), row("sort", .6, .6)})),
            "[compare] ");
}

TEST(MixedBodies, AreOnlyThoseWithMostOfTheGrowth) {
  DiffResult result =
      body_of({row("compare", .05, .11), row("swap", .05, .02), row("sort", .13, .11)});
  result.bodies[0].parts[0].shares = {.8, .8};
  EXPECT_EQ(judged(result), "[compare] ");
  result.bodies[0].parts[0].shares = {.2, .3};
  EXPECT_EQ(judged(result), "compare ");
}

// Where one body shows that inlining changed, helpers of the binary are judged with their bodies.
TEST(MixedBodies, ShowThatInliningChanged) {
  DiffResult result =
      body_of({row("compare", .02, .05), row("swap", .05, .02), row("sort", .13, .13)});
  ComparedBody other{5, figures(.12, .13), {{4, 5, {1, 1}}, {5, 5, {1, 1}}}};
  result.rows.push_back(row("data", .02, .04));
  result.rows.push_back(row("parse", .1, .09));
  result.bodies.push_back(other);
  EXPECT_EQ(judged(result), "[compare] [data] ");
  result.bodies[1].figures = figures(.12, .16);
  EXPECT_EQ(judged(result), "data [compare] ");
  // A body that is nearly everything cannot grow, so it tells nothing.
  result.bodies[1].figures = figures(.9, .91);
  EXPECT_EQ(judged(result), "data [compare] ");
  result.bodies[1].figures = figures(.12, .13);
  result.rows[5].key.binary = "other";
  EXPECT_EQ(judged(result), "data [compare] ");
}

// A gain that is too small to be judged shows nothing.
TEST(MixedBodies, HaveGainsThatAreNotSmall) {
  DiffResult result =
      body_of({row("compare", .001, .004), row("swap", .005, .002), row("sort", .2, .2)});
  ComparedBody other{5, figures(.12, .13), {{4, 5, {1, 1}}, {5, 5, {1, 1}}}};
  result.rows.push_back(row("data", .02, .04));
  result.rows.push_back(row("parse", .1, .09));
  result.bodies.push_back(other);
  EXPECT_EQ(judged(result), "data ");
}

// What another function gave to its callees explains nothing that is inlined elsewhere.
TEST(MixedBodies, AreNotExplainedByOtherFunctions) {
  DiffResult result = body_of({row("compare", .02, .05), row("sort", .13, .13)});
  DiffRow caller = row("caller", .3, .2);
  caller.cumulative = figures(.4, .4);
  result.rows.push_back(caller);
  EXPECT_EQ(judged(result), "compare ");
  result.bodies.clear();
  EXPECT_EQ(judged(result), "[compare] ");
}

// ... and what moved within a body did not go to the functions that it calls.
TEST(MixedBodies, GaveNothingToOthers) {
  DiffResult result =
      body_of({row("compare", .02, .06), row("swap", .05, .02), row("sort", .1, .1)});
  result.rows[1].cumulative = figures(.1, .1);
  result.rows.push_back(row("other", .02, .04));
  EXPECT_EQ(judged(result), "other [compare] ");
  result.bodies.clear();
  EXPECT_EQ(judged(result), "compare [other] ");
}

TEST(MixedBodies, SayWhatIsKnownNotToHaveGrown) {
  const std::vector<DiffRow> rows{row("compare", .02, .05), row("swap", .05, .02),
                                  row("sort", .13, .13)};
  EXPECT_NEAR(judge_functions(body_of(rows), {}).known, 1, 1e-9);
  // Of a body with few samples it is not known: of compare().
  EXPECT_NEAR(judge_functions(body_of(rows, 100), {}).known, 1 - .035, 1e-9);
}

}  // namespace
}  // namespace pgo::mixed_bodies_test
