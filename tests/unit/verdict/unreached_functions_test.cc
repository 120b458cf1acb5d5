#include "pgo/verdict/unreached_functions.h"

#include <gtest/gtest.h>

namespace pgo::unreached_functions_test {
namespace {

FunctionMatch function(const std::string& name, uint64_t matched, uint64_t gone) {
  FunctionMatch result;
  result.name = name;
  result.weights.add(MatchOutcome::kMatched, matched);
  result.weights.add(MatchOutcome::kNoFunction, gone);
  return result;
}

DiffRow row(const std::string& linkage, double share) {
  return {{.name = linkage, .linkage = linkage},
          {.rate_b = share, .estimate = {{}, {}}},
          {.estimate = {{}, {}}}};
}

TEST(UnreachedFunctions, AreHotAndMostlyUnmatched) {
  ProfileMatch match;
  match.functions = {function("gone.llvm.12", 10, 90), function("half", 50, 50),
                     function("cold", 0, 100), function("hotter", 0, 1)};
  DiffResult comparison;
  comparison.rows = {row("half", .3), row("gone", .2), row("hotter", .4), row("cold", .001),
                     row("not_in_the_profile", .1)};
  std::vector<UnreachedFunction> unreached = find_unreached(comparison, match, "server", .005);
  ASSERT_EQ(unreached.size(), 2u);
  EXPECT_EQ(unreached[0].row, 2u);
  EXPECT_DOUBLE_EQ(unreached[0].share, .4);
  EXPECT_EQ(unreached[1].row, 1u);
  EXPECT_DOUBLE_EQ(unreached[1].unmatched, .9);
  EXPECT_EQ(unreached[1].reason, MatchOutcome::kNoFunction);
}

}  // namespace
}  // namespace pgo::unreached_functions_test
