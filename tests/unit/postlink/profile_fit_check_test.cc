#include "pgo/postlink/profile_fit_check.h"

#include <gtest/gtest.h>

namespace pgo::profile_fit_check_test {
namespace {

BoltLog log_with_stale(unsigned samples) {
  return parse_bolt_log(
      "BOLT-INFO: 1 out of 2 functions in the binary (50.0%) have non-empty execution profile\n"
      "BOLT-WARNING: " +
          std::to_string(samples) +
          " out of 1000 samples in the binary (x%) belong to functions with invalid (possibly "
          "stale) profile\n",
      "llvm-bolt");
}

// The build ID of a recording proves that it is of this build, whatever llvm-bolt thinks of it.
TEST(ProfileFitCheck, BlamesNoOtherBuildWhereTheBuildIdMatches) {
  constexpr const char* kRefused =
      " % of the profile's samples are in functions whose code differs in server, although its "
      "build ID was recorded, so llvm-bolt does not use them";
  constexpr const char* kAdvice = "\xFF{log} saves what llvm-bolt prints about them";
  Diagnostics diagnostics;
  Result<CheckOutcome> fit =
      check_profile_fit(log_with_stale(501), "server", BuildIdentity::kProven, diagnostics);
  ASSERT_FALSE(fit);
  EXPECT_EQ(fit.error().message, std::string("50.1") + kRefused);
  EXPECT_EQ(fit.error().advice, kAdvice);
  fit = check_profile_fit(log_with_stale(301), "server", BuildIdentity::kProven, diagnostics);
  ASSERT_TRUE(fit);
  EXPECT_EQ(diagnostics.entries().at("stale").messages,
            std::vector<std::string>{std::string("30.1") + kRefused + "; " + kAdvice});

  fit = check_profile_fit(log_with_stale(501), "server", BuildIdentity::kAssumed, diagnostics);
  ASSERT_FALSE(fit);
  EXPECT_EQ(fit.error().message,
            "50.1 % of the profile's samples are in functions whose code differs in server: it is "
            "of another build");
}

}  // namespace
}  // namespace pgo::profile_fit_check_test
