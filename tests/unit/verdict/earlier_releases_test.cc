#include "pgo/verdict/earlier_releases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "converters/pprof/pprof_writer.h"
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
    request.compared.path_template = "{host}.folded";  // the same hosts in all releases
    request.compared.jobs = 1;
    return request;
  }
};

// t of two degrees of freedom at 97.5 % is 4.3027.
TEST(PredictionBound, IsThatOfTheNextRelease) {
  const double same[] = {5, 5, 5};
  EXPECT_NEAR(prediction_bound(same, .025), 5, 1e-12);
  const double spread[] = {100, 100 * std::exp(.01), 100 * std::exp(-.01)};
  EXPECT_NEAR(prediction_bound(spread, .025), 100 * std::exp(4.3027 * .01 * std::sqrt(4.0 / 3)),
              1e-3);
}

// They differ by 3 %, so that 2 % above their mean is no regression, and 5 % is not known.
TEST_F(EarlierReleases, MakeTheLimits) {
  const std::vector<std::string> before{release("1", 3000, 27000), release("2", 2910, 26190),
                                        release("3", 3090, 27810)};
  Result<VerifyResult> result = verify_release(request(before, release("4", 3060, 27540)));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_TRUE(result->spread);
  EXPECT_EQ(result->spread->releases, 3u);
  EXPECT_NEAR(result->spread->deviation, .03, .001);
  EXPECT_NEAR(*result->limits.pass_growth, .03, .001);
  EXPECT_NEAR(result->limits.growth, .16, .01);
  EXPECT_NEAR(result->cost->ratio, 1.02, .001);
  EXPECT_EQ(result->outcome, Outcome::kPass) << verdict_sentence(*result);
  EXPECT_NEAR(verify_json(*result)["limits"]["pass_growth"], .03, .001);
  EXPECT_EQ(verify_json(*result)["earlier_releases"]["costs"].size(), 3u);
  const std::string text = verify_text(*result, {});
  EXPECT_NE(text.find("  releases      3 before, compared as one; "), std::string::npos) << text;
  EXPECT_NE(
      text.find("  limits        a unit of work: pass up to 3.0 % more, fail above 16.0 % more"),
      std::string::npos)
      << text;

  result = verify_release(request(before, release("5", 3150, 28350)));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->outcome, Outcome::kInconclusive);
  EXPECT_EQ(result->doubt, Doubt::kBetween);
  result = verify_release(request(before, release("6", 3900, 35100)));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->cost_outcome, Outcome::kFail);

  // A limit of one's own remains.
  VerifyRequest strict = request(before, path("4"));
  strict.keeps_growth = true;
  result = verify_release(strict);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->limits.growth, .01);
  EXPECT_NE(result->outcome, Outcome::kPass);
}

// Equal releases leave the limit that any comparison has.
TEST_F(EarlierReleases, KeepTheUsualLimitAtLeast) {
  Result<VerifyResult> result = verify_release(
      request({release("1", 3000, 27000), release("2", 3000, 27000), release("3", 3000, 27000)},
              release("4", 3000, 27000)));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->limits.growth, .01);
  EXPECT_EQ(*result->limits.pass_growth, .01);
}

// f varied by half from release to release, so 40 % more of it is nothing new; g did not.
TEST_F(EarlierReleases, MakeLimitsOfFunctions) {
  VerifyRequest several =
      request({release("1", 3000, 27000), release("2", 2000, 28000), release("3", 4000, 26000)},
              release("4", 4200, 25800));
  Result<VerifyResult> result = verify_release(several);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->functions.grown.empty());
  EXPECT_EQ(result->spread->own_limits.size(), 2u);  // three releases tell little of g, too
  EXPECT_EQ(judge_functions(result->comparison, result->limits).grown.size(), 1u);
  EXPECT_NE(
      verify_text(*result, {}).find("20.0 % more (2 functions: up to 1061.2 % more, because "),
      std::string::npos)
      << verify_text(*result, {});
  const nlohmann::json limits = verify_json(*result)["earlier_releases"]["function_limits"];
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0]["name"], "f");
  EXPECT_GT(limits[0]["growth"], .4);
}

// Twelve functions vary by 3 to 4 %. Three releases alone would not tell this of one function, and
// accept 87 % more of it; all functions together do.
TEST_F(EarlierReleases, TellHowFunctionsVaryFromAllOfThem) {
  auto write_release = [&](int number, int first) {
    for (int host = 0; host < 4; host++) {
      std::string stacks;
      for (int f = 0; f < 12; f++)
        stacks += "main;f" + std::to_string(f) + " " +
                  std::to_string((f == 0 ? first : 5000) + 100 * ((7 * f + 3 * number) % 5 - 2) +
                                 3 * host) +
                  "\n";
      write(std::to_string(number) + "/web-" + std::to_string(host) + ".folded", stacks);
    }
    return path(std::to_string(number));
  };
  Result<VerifyResult> result = verify_release(
      request({write_release(1, 5000), write_release(2, 5000), write_release(3, 5000)},
              write_release(4, 7500)));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->spread->own_limits.empty());
  ASSERT_EQ(result->functions.grown.size(), 1u);
  EXPECT_EQ(result->comparison.rows[result->functions.grown[0].row].key.name, "f0");
}

// Each cost of a unit is the same, though the releases did unequal work and name it differently.
TEST_F(EarlierReleases, KeepTheUnitsOfWorkOfEach) {
  VerifyRequest all =
      request({release("1", 3000, 27000), release("2", 6000, 54000), release("3", 1500, 13500)},
              release("4", 3000, 27000));
  all.earlier[1].units = 2000;
  all.earlier[2].units = 0;
  for (int host = 0; host < 4; host++)
    all.earlier[2].member_units.push_back({"web-" + std::to_string(host) + ".folded", 125});
  Result<VerifyResult> result = verify_release(all);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_DOUBLE_EQ(result->comparison.sides[0].units, 3500);
  EXPECT_DOUBLE_EQ(result->cost->ratio, 1);
  EXPECT_NEAR(result->spread->deviation, 0, 1e-9);
}

// Names of programs contain versions, and one profile is of another program.
TEST_F(EarlierReleases, TakeTheirProgramsForOne) {
  auto profile_of = [&](const std::string& name, const char* program, int64_t samples) {
    StackProfile profile;
    auto text = [&](const char* word) { return profile.strings.add(word); };
    profile.sample_types = {{text("samples"), text("count")}};
    MappingId mapping = profile.add_mapping({.filename = text(program)});
    for (const char* function : {"serve", "parse"}) {
      FunctionId id = profile.add_function({.name = text(function), .system_name = text(function)});
      LocationId place =
          profile.add_location({mapping, RuntimeAddr{profile.locations.size() + 1}}, {{id, 1, 0}});
      profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {samples});
    }
    profile.normalize();
    write(name, write_pprof(profile));
  };
  for (int number = 1; number <= 4; number++)
    for (int host = 0; host < 4; host++)
      profile_of(std::to_string(number) + "/web-" + std::to_string(host) + ".pb",
                 ("/srv/server-1." + std::to_string(number)).c_str(), 5000 + host);
  profile_of("2/extra.pb", "/usr/sbin/cron", 40);
  VerifyRequest all;
  for (int number = 1; number <= 3; number++)
    all.earlier.push_back({.inputs = {path(std::to_string(number))}});
  all.compared.sides[1] = {path("4")};
  all.compared.jobs = 1;
  Result<VerifyResult> result = verify_release(all);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->functions.grown.empty());
  for (const DiffRow& row : result->comparison.rows)
    if (row.flat.rate_b > 0) {
      EXPECT_EQ(row.key.binary, "server-1.4");
    }
}

TEST_F(EarlierReleases, AreThreeAtLeastAndDifferent) {
  const std::string one = release("1", 3000, 27000), two = release("2", 3000, 27000);
  EXPECT_EQ(text_of(verify_release(request({one, one}, one)).error()),
            "2 earlier releases do not show how much releases differ; name one, or at least 3 (the "
            "files of one release are a directory, a glob in quotes or @LIST); ");
  EXPECT_EQ(text_of(verify_release(request({one, two, one}, two)).error()),
            "1/web-0.folded: is in two of the earlier releases; ");
}

// A request of checkout costs four times as much as one of search, in each release; mixes differ.
TEST_F(EarlierReleases, AreStandardizedToTheMixOfTheNext) {
  VerifyRequest all;
  auto write_release = [&](const std::string& name, int checkouts, int searches) {
    for (int host = 0; host < 4; host++) {
      const std::string file = "/web-" + std::to_string(host) + ".folded";
      write(name + "/checkout" + file, "main;pay " + std::to_string(400 * checkouts) + "\n");
      write(name + "/search" + file, "main;find " + std::to_string(100 * searches) + "\n");
    }
    return std::vector<MemberUnits>{{"", 4.0 * checkouts, "checkout"},
                                    {"", 4.0 * searches, "search"}};
  };
  const int mixes[][2] = {{100, 900}, {300, 700}, {500, 500}};
  for (const auto& [checkouts, searches] : mixes) {
    const std::string name = "r" + std::to_string(checkouts);
    std::vector<MemberUnits> units = write_release(name, checkouts, searches);
    all.earlier.push_back({.inputs = {path(name)}, .member_units = std::move(units)});
  }
  all.compared.member_units[1] = write_release("next", 700, 300);
  all.compared.sides[1] = {path("next")};
  all.compared.measure = verify::Measure::kPerUnit;
  all.compared.path_template = "{endpoint}/{host}.folded";
  all.compared.jobs = 1;
  all.compared.standardize = "endpoint";
  Result<VerifyResult> result = verify_release(all);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->spread->costs.size(), 3u);
  for (double cost : result->spread->costs) EXPECT_NEAR(cost, .7 * 400 + .3 * 100, 1e-9);
  EXPECT_NEAR(result->cost->ratio, 1, 1e-9);
  EXPECT_EQ(result->outcome, Outcome::kPass) << verdict_sentence(*result);
  VerifyRequest shares = all;
  shares.compared.measure = verify::Measure::kShare;
  shares.compared.member_units[1].clear();
  for (EarlierRelease& release : shares.earlier) release.member_units.clear();
  result = verify_release(shares);
  ASSERT_TRUE(result) << result.error().message;
  for (const DiffRow& row : result->comparison.rows)
    EXPECT_NEAR(row.flat.estimate.ratio(), 1, 1e-9) << row.key.name;

  std::filesystem::remove_all(path("r100/checkout"));
  all.earlier[0].member_units.erase(all.earlier[0].member_units.begin());
  EXPECT_EQ(text_of(verify_release(all).error()),
            "\xFF{standardize} endpoint: only 2 of 3 earlier releases have endpoint checkout, so "
            "their costs would be those of different mixes; leave out the releases without it, or "
            "choose values that all have (INPUT#endpoint=PATTERN); ");
}

}  // namespace
}  // namespace pgo::earlier_releases_test
