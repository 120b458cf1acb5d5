#include "pgo/fetch/fleet_weights.h"

#include <gtest/gtest.h>

#include <map>

namespace pgo::fleet_weights_test {
namespace {

WeightedProfile one(const std::string& host, double total, uint64_t represented = 1,
                    uint64_t chosen = 1) {
  return {host, total, represented, chosen};
}

double value_of(const Weight& weight) {
  return static_cast<double>(weight.numerator) / static_cast<double>(weight.denominator);
}

std::vector<Weight> weights(const std::vector<WeightedProfile>& profiles,
                            WeightBy by = WeightBy::kSample,
                            const std::vector<HostTraffic>& traffic = {}) {
  return fleet_weights(profiles, by, traffic).value();
}

TEST(FleetWeights, AreOneWhereAllWasChosen) {
  EXPECT_EQ(weights({one("a", 10), one("b", 1), one("c", 5)}),
            (std::vector<Weight>{{1, 1}, {1, 1}, {1, 1}}));
  EXPECT_EQ(weights({one("a", 10, 3, 3), one("a", 1, 3, 3), one("a", 5, 3, 3)}),
            (std::vector<Weight>{{1, 1}, {1, 1}, {1, 1}}));
}

// 2 of 6 stand for three profiles each, 1 of 2 for two: 3, 3 and 2, of a mean of 8/3.
TEST(FleetWeights, LetProfilesStandForTheirStratum) {
  EXPECT_EQ(weights({one("a", 10, 6, 2), one("a", 10, 6, 2), one("b", 10, 2, 1)}),
            (std::vector<Weight>{{9, 8}, {9, 8}, {6, 8}}));
}

TEST(FleetWeights, HaveAMeanOfOneAndADenominatorInCommonWhereTheyAreRounded) {
  std::vector<WeightedProfile> profiles;
  for (uint64_t i = 1; i < 200; i++) profiles.push_back(one("a", 1, 1000 + i, i % 97 + 1));
  const std::vector<Weight> found = weights(profiles);
  double sum = 0;
  for (size_t i = 0; i < found.size(); i++) {
    EXPECT_EQ(found[i].denominator, found[0].denominator);
    EXPECT_GE(found[i].numerator, 1u);
    EXPECT_LE(found[i].numerator, Weight::kMaxPart);
    sum += value_of(found[i]);
    const double expected =
        static_cast<double>(profiles[i].represented) / static_cast<double>(profiles[i].chosen) /
        static_cast<double>(profiles[0].represented) * static_cast<double>(profiles[0].chosen);
    EXPECT_NEAR(value_of(found[i]) / value_of(found[0]), expected, expected * 1e-3);
  }
  EXPECT_NEAR(sum / 199, 1, 1e-4);
}

std::map<std::string, double> host_totals(const std::vector<WeightedProfile>& profiles,
                                          const std::vector<Weight>& found) {
  std::map<std::string, double> totals;
  for (size_t i = 0; i < found.size(); i++)
    totals[profiles[i].host] += value_of(found[i]) * profiles[i].total;
  return totals;
}

TEST(FleetWeights, GiveEachHostTheSameTotal) {
  const std::vector<WeightedProfile> profiles{one("a", 1000), one("a", 500, 4, 2), one("b", 10),
                                              one("c", 3)};
  const auto totals = host_totals(profiles, weights(profiles, WeightBy::kHost));
  EXPECT_NEAR(totals.at("a") / totals.at("c"), 1, 1e-2);
  EXPECT_NEAR(totals.at("b") / totals.at("c"), 1, 1e-2);
}

TEST(FleetWeights, GiveHostsTotalsInProportionToTraffic) {
  const std::vector<WeightedProfile> profiles{one("a", 100), one("b", 100), one("b", 300)};
  const auto totals = host_totals(
      profiles, weights(profiles, WeightBy::kTraffic, {{"b", 30}, {"a", 10}, {"idle", 5}}));
  EXPECT_NEAR(totals.at("b") / totals.at("a"), 3, 1e-4);
}

TEST(FleetWeights, NeedAHost) {
  const auto found = fleet_weights({one("a", 1), one("", 1), one("", 1)}, WeightBy::kHost, {});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            "weights by host need profiles with the label 'host', and 2 have none");
}

TEST(FleetWeights, NeedTrafficOfEachHost) {
  const auto found = fleet_weights({one("a", 1), one("b", 1)}, WeightBy::kTraffic, {{"a", 1}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error(), (Error{ErrorKind::kUsage, "\xFF{traffic} has no number for the host b",
                                  "add a line 'b NUMBER', or leave the host out"}));
}

TEST(FleetWeights, OfNothingAreNone) { EXPECT_TRUE(weights({}).empty()); }

}  // namespace
}  // namespace pgo::fleet_weights_test
