#include "pgo/diff/standardized_rows.h"

#include <gtest/gtest.h>

#include "pgo/diff/label_choice.h"

namespace pgo::standardized_rows_test {
namespace {

// One host a side with strata a and b, and one function that has a part of each.
struct Fleet {
  Rows rows;
  std::array<SideStrata, 2> strata;
  bool by_units = false;
  Diagnostics diagnostics;

  Fleet() { rows.keys = {{.name = "f"}}, rows.sources = {""}; }

  // The weight of a stratum, what f has of it, and its units.
  void add(size_t side, const std::string& stratum, double weight, double of_f, double units = 0) {
    verify::Side& flat = rows.flat[side];
    const auto member = static_cast<uint32_t>(flat.members.size());
    flat.members.push_back({.host = "web-1", .weight = weight, .samples = weight, .units = units});
    by_units |= units > 0;
    flat.rows.push({of_f, static_cast<float>(of_f), member});
    strata[side].strata.push_back(stratum);
    strata[side].wholes.push_back(0);
  }
  Result<StandardizedRows> result() {
    for (size_t side = 0; side < 2; side++) {
      rows.flat[side].rows.end_list();
      rows.cumulative[side] = rows.flat[side];
    }
    return standardize(rows, strata, by_units, "endpoint", diagnostics);
  }
};

TEST(StandardizedRows, HaveTheMeanOfBothMixes) {
  Fleet fleet;
  fleet.add(0, "a", 100, 50), fleet.add(0, "b", 300, 0);
  fleet.add(1, "a", 200, 100), fleet.add(1, "b", 200, 0);
  Result<StandardizedRows> result = fleet.result();
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->mix.size(), 2u);
  EXPECT_DOUBLE_EQ(result->mix[0].shares[0], .25);
  EXPECT_DOUBLE_EQ(result->mix[0].mix, .375);
  // Of every stratum f has the same part on both sides, so it has the same share.
  for (size_t side = 0; side < 2; side++) {
    const verify::Side& flat = result->rows.flat[side];
    ASSERT_EQ(flat.members.size(), 1u);
    EXPECT_EQ(flat.members[0].host, "web-1");
    EXPECT_DOUBLE_EQ(flat.members[0].weight, 400);
    ASSERT_EQ(flat.rows[0].size(), 1u);
    EXPECT_DOUBLE_EQ(flat.rows[0][0].value, .375 * 400 / 2);
    EXPECT_EQ(result->rows.cumulative[side].rows[0].size(), 1u);
  }
  // Samples that weigh differently are worth fewer equal ones.
  EXPECT_LT(result->rows.flat[0].members[0].samples, 400);
  EXPECT_TRUE(fleet.diagnostics.entries().empty());
}

// A unit of a costs 4, one of b 1, on both sides; the mix changes from 1 : 9 to 1 : 1.
TEST(StandardizedRows, HaveOneMixOfUnits) {
  Fleet fleet;
  fleet.add(0, "a", 40, 40, 10), fleet.add(0, "b", 90, 0, 90);
  fleet.add(1, "a", 200, 200, 50), fleet.add(1, "b", 50, 0, 50);
  Result<StandardizedRows> result = fleet.result();
  ASSERT_TRUE(result) << result.error().message;
  for (size_t side = 0; side < 2; side++) {
    EXPECT_DOUBLE_EQ(result->rows.flat[side].members[0].weight, 190);
    EXPECT_DOUBLE_EQ(result->rows.flat[side].rows[0][0].value, 120);
    EXPECT_DOUBLE_EQ(result->rows.flat[side].members[0].units, 100);
  }
}

// A host that serves only one kind has its cost per unit, and a unit of each kind its own cost.
TEST(StandardizedRows, CountUnitsOfMembersByTheirCost) {
  Fleet fleet;
  for (size_t side = 0; side < 2; side++) {
    fleet.add(side, "a", 400, 0, 100);
    fleet.add(side, "b", 100, 0, 100);
    fleet.strata[side].wholes[1] = 1;
  }
  Result<StandardizedRows> result = fleet.result();
  ASSERT_TRUE(result) << result.error().message;
  for (const verify::Side& side : result->rows.flat) {
    ASSERT_EQ(side.members.size(), 2u);
    EXPECT_DOUBLE_EQ(side.members[0].units, 160);
    EXPECT_DOUBLE_EQ(side.members[1].units, 40);
    EXPECT_DOUBLE_EQ(side.members[0].weight, 400);
  }
}

// Half of the hosts were never sampled in a cheap kind of work: it is work nevertheless.
TEST(StandardizedRows, CountWorkWithoutSamples) {
  Fleet fleet;
  for (size_t side = 0; side < 2; side++) {
    fleet.add(side, "a", 400, 0, 100);
    fleet.add(side, "b", side == 0 ? 0 : 2, 0, 50);
  }
  Result<StandardizedRows> result = fleet.result();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_DOUBLE_EQ(result->mix[1].mix, 1.0 / 3);
  for (size_t side = 0; side < 2; side++) {
    EXPECT_NEAR(result->rows.flat[side].members[0].units, 150, 1e-9);
    EXPECT_NEAR(result->rows.flat[side].members[0].weight, side == 0 ? 400 : 402, 1e-9);
  }
}

// ... also if no host was sampled in the work that both sides have in common.
TEST(StandardizedRows, CountEqualWorkWithoutAnySamples) {
  Fleet fleet;
  fleet.add(0, "a", 0, 0, 10), fleet.add(0, "old", 5, 5, 10), fleet.add(0, kNoLabel, 40, 40);
  fleet.add(1, "a", 0, 0, 30), fleet.add(1, "new", 5, 5, 10), fleet.add(1, kNoLabel, 40, 40);
  Result<StandardizedRows> result = fleet.result();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_DOUBLE_EQ(result->rows.flat[0].members[0].units, 10);
  EXPECT_DOUBLE_EQ(result->rows.flat[1].members[0].units, 30);
}

// Background threads serve all endpoints.
TEST(StandardizedRows, KeepSamplesWithoutTheLabelPerUnit) {
  Fleet fleet;
  fleet.add(0, "a", 40, 0, 10), fleet.add(0, kNoLabel, 10, 10);
  fleet.add(1, "a", 40, 0, 10), fleet.add(1, kNoLabel, 30, 30);
  Result<StandardizedRows> result = fleet.result();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_DOUBLE_EQ(result->rows.flat[0].rows[0][0].value, 10);
  EXPECT_DOUBLE_EQ(result->rows.flat[1].rows[0][0].value, 30);
  EXPECT_DOUBLE_EQ(result->rows.flat[1].members[0].weight, 70);
}

TEST(StandardizedRows, LeaveOutWhatOneSideHas) {
  Fleet fleet;
  fleet.add(0, "a", 40, 20);
  fleet.add(1, "a", 60, 30), fleet.add(1, "new", 20, 20);
  Result<StandardizedRows> result = fleet.result();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_DOUBLE_EQ(result->rows.flat[1].rows[0][0].value, 30);
  EXPECT_DOUBLE_EQ(result->rows.flat[1].members[0].weight, 60);
  EXPECT_DOUBLE_EQ(result->mix[1].mix, 0);
  ASSERT_EQ(fleet.diagnostics.entries().count("stratum-left-out"), 1u);
  EXPECT_EQ(fleet.diagnostics.entries().at("stratum-left-out").messages[0],
            "endpoint new is left out: only the after side has it (25.0 % of its samples)");
}

// A host that served only what the other side does not know has samples, but none that count.
TEST(StandardizedRows, MarkMembersThatTheyEmpty) {
  for (const double units : {0.0, 10.0}) {
    Fleet fleet;
    fleet.add(0, "a", 40, 20, units);
    fleet.add(1, "a", 60, 30, units), fleet.add(1, "new", 20, 20, units);
    fleet.add(1, "a", 0, 0, 0);
    fleet.strata[1].wholes = {0, 1, 2};
    Result<StandardizedRows> result = fleet.result();
    ASSERT_TRUE(result) << result.error().message;
    const std::vector<verify::Member>& members = result->rows.flat[1].members;
    ASSERT_EQ(members.size(), 3u);
    EXPECT_FALSE(members[0].emptied);
    EXPECT_TRUE(members[1].emptied);
    EXPECT_FALSE(members[2].emptied);  // it had nothing
  }
}

TEST(StandardizedRows, SayWhatIsMissing) {
  Fleet unlabeled;
  unlabeled.add(0, kNoLabel, 1, 1), unlabeled.add(1, kNoLabel, 1, 1);
  EXPECT_EQ(
      unlabeled.result().error().message,
      "no sample of the before side has the label 'endpoint', so there is no mix to standardize");
  // Work of endpoints that no sample has.
  Fleet unsampled;
  for (size_t side = 0; side < 2; side++)
    unsampled.add(side, kNoLabel, 1, 1), unsampled.add(side, "a", 0, 0, 10);
  EXPECT_EQ(unsampled.result().error().message, unlabeled.result().error().message);
  Fleet apart;
  apart.add(0, "a", 1, 1), apart.add(1, "b", 1, 1);
  EXPECT_EQ(apart.result().error().message,
            "the sides have no value of the label 'endpoint' in common, so their mixes cannot be "
            "compared");
}

}  // namespace
}  // namespace pgo::standardized_rows_test
