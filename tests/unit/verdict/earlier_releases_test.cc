#include "pgo/verdict/earlier_releases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pgo/report/verify_report.h"
#include "pgo/verdict/release_verdict.h"
#include "tests/data/temporary_files.h"

namespace pgo::earlier_releases_test {
namespace {

class EarlierReleases : public test::TemporaryFiles {
 protected:
  // Four hosts, whose units of work cost `cost` samples in f for each 10 000 in the rest.
  std::string release(const std::string& name, int f, int rest) const {
    for (int host = 0; host < 4; host++)
      write(name + "/web-" + std::to_string(host) + ".folded",
            "main;f " + std::to_string(f + 3 * host) + "\nmain;g " +
                std::to_string(rest - 3 * host) + "\n");
    return path(name);
  }
  VerifyRequest request(const std::vector<std::string>& before, const std::string& after) const {
    VerifyRequest request;
    for (const std::string& input : before)
      request.earlier.push_back({.inputs = {input}, .units = 1000});
    request.compared.sides[1] = {after};
    request.compared.measure = verify::Measure::kPerUnit;
    request.compared.units[1] = 1000;
    request.compared.jobs = 1;
    return request;
  }
};

// t of two degrees of freedom at 97.5 % is 4.3027.
TEST(AcceptedGrowth, IsThePredictionIntervalOfTheNextRelease) {
  const double same[] = {5, 5, 5};
  EXPECT_NEAR(accepted_growth(same), 0, 1e-12);
  const double spread[] = {100, 100 * std::exp(.01), 100 * std::exp(-.01)};
  EXPECT_NEAR(accepted_growth(spread), std::expm1(4.3027 * .01 * std::sqrt(4.0 / 3)), 1e-5);
}

TEST_F(EarlierReleases, MakeTheLimit) {
  // They differ by 3 %, so 2 % above their mean is no regression.
  const std::vector<std::string> before{release("1", 3000, 27000), release("2", 2910, 26190),
                                        release("3", 3090, 27810)};
  const std::string after = release("4", 3060, 27540);
  Result<VerifyResult> result = verify_release(request(before, after));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_TRUE(result->spread);
  EXPECT_EQ(result->spread->releases, 3u);
  EXPECT_NEAR(result->spread->deviation, .03, .001);
  EXPECT_NEAR(result->limits.growth, .16, .01);
  EXPECT_NEAR(result->cost->ratio, 1.02, .001);
  EXPECT_EQ(result->outcome, Outcome::kPass) << verdict_sentence(*result);
  EXPECT_NEAR(verify_json(*result)["earlier_releases"]["growth"], .16, .01);
  EXPECT_NE(verify_text(*result, {}).find("  releases      3 before, compared as one; "),
            std::string::npos)
      << verify_text(*result, {});

  // A limit of one's own remains.
  VerifyRequest strict = request(before, after);
  strict.keeps_growth = true;
  result = verify_release(strict);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->limits.growth, .01);
  EXPECT_NE(result->outcome, Outcome::kPass);
}

// f varied by half from release to release, so 40 % more of it is nothing new; g did not.
TEST_F(EarlierReleases, MakeLimitsOfFunctions) {
  const std::vector<std::string> before{release("1", 3000, 27000), release("2", 2000, 28000),
                                        release("3", 4000, 26000)};
  const std::string after = release("4", 4200, 25800);
  VerifyRequest several = request(before, after);
  Result<VerifyResult> result = verify_release(several);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->functions.grown.empty());

  VerifyRequest single;
  single.compared = several.compared;
  single.compared.sides[0] = {before[0]};
  single.compared.units[0] = 1000;
  result = verify_release(single);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->functions.grown.size(), 1u);
}

TEST_F(EarlierReleases, AddUpTheirUnitsOfWork) {
  VerifyRequest all =
      request({release("1", 3000, 27000), release("2", 3000, 27000), release("3", 3000, 27000)},
              release("4", 3000, 27000));
  for (EarlierRelease& one : all.earlier) {
    one.units = 0;
    for (int host = 0; host < 4; host++)
      one.member_units.push_back({"web-" + std::to_string(host) + ".folded", 250});
  }
  Result<VerifyResult> result = verify_release(all);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_DOUBLE_EQ(result->comparison.sides[0].units, 3000);
  EXPECT_DOUBLE_EQ(result->cost->ratio, 1);
}

TEST_F(EarlierReleases, AreThreeAtLeast) {
  const std::string one = release("1", 3000, 27000);
  EXPECT_EQ(text_of(verify_release(request({one, one}, one)).error()),
            "2 earlier releases do not show how much releases differ; name one, or at least 3; ");
}

}  // namespace
}  // namespace pgo::earlier_releases_test
