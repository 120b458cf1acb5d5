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

// Of 128 blocks 60 are the same, but hardly any of those that run.
Result<CheckOutcome> fit_of_exact_samples(unsigned samples, unsigned all,
                                          Diagnostics& diagnostics) {
  const BoltLog log = parse_bolt_log(
      "BOLT-INFO: 9 out of 20 functions in the binary (45.0%) have non-empty execution profile\n"
      "BOLT-INFO: inferred profile for 7 (77.78% of profiled, 100.00% of stale) functions "
      "responsible for 90.00% samples (900 out of 1000)\n"
      "BOLT-INFO: inference found an exact match for 46.88% of basic blocks (60 out of 128 stale) "
      "responsible for x% samples (" +
          std::to_string(samples) + " out of " + std::to_string(all) +
          " stale)\n"
          "BOLT-WARNING: 7 (77.8% of all profiled) functions have invalid (possibly stale) "
          "profile. Use -report-stale to see the list.\n"
          "BOLT-WARNING: 900 out of 1000 samples in the binary (90.0%) belong to functions with "
          "invalid (possibly stale) profile.\n",
      "llvm-bolt");
  return check_profile_fit(log, "server", BuildIdentity::kAssumed, diagnostics);
}

TEST(ProfileFitCheck, CountsSamplesOfUnchangedBlocksAndNotBlocks) {
  Diagnostics diagnostics;
  EXPECT_TRUE(fit_of_exact_samples(90, 900, diagnostics));
  const Result<CheckOutcome> fit = fit_of_exact_samples(36, 900, diagnostics);
  ASSERT_FALSE(fit);
  EXPECT_EQ(
      fit.error().message,
      "90.0 % of the profile's samples are in functions whose code differs in server, and "
      "4.0 % of what ran there is in blocks that are unchanged: too little to match the rest");
  EXPECT_EQ(fit.error().advice,
            "is the profile of an earlier build of this program? a recording of this build is "
            "better");
  // Without samples in these blocks, the blocks count: 60 of 128.
  EXPECT_TRUE(fit_of_exact_samples(0, 0, diagnostics));
}

}  // namespace
}  // namespace pgo::profile_fit_check_test
