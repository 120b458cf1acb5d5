#include "pgo/verify/member_design.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pgo::verify::member_design_test {
namespace {

using LeftOuts = std::vector<LeftOut>;

Member member(const char* host, const char* hour, double weight) {
  return {
      .host = host, .hour = hour, .weight = weight, .samples = weight / 10, .units = weight / 5};
}

MemberDesign design_of(std::vector<Member> a, std::vector<Member> b,
                       Measure measure = Measure::kShare) {
  Result<MemberDesign> design =
      design_members({std::move(a), {}}, {std::move(b), {}}, measure, Pairing::kWherePossible);
  EXPECT_TRUE(design);
  return *std::move(design);
}

TEST(MemberDesign, OneProfileASideIsSampling) {
  MemberDesign design = design_of({member("", "", 100)}, {member("", "", 300)});
  EXPECT_EQ(design.basis, Basis::kSampling);
  EXPECT_EQ(design.a.exposure, 10);  // samples of a row that is all there is
  EXPECT_EQ(design.b.exposure, 30);
  EXPECT_EQ(design.b.places[0].factor, 1.0 / 300);
}

TEST(MemberDesign, RatesAreRatiosOfSums) {
  MemberDesign design =
      design_of({member("", "", 100), member("", "", 300)}, {member("", "", 100)});
  EXPECT_EQ(design.basis, Basis::kMembers);
  EXPECT_EQ(design.a.clusters[0].weight, .25);
  EXPECT_EQ(design.a.clusters[1].weight, .75);
  EXPECT_NEAR(design.a.places[0].factor, 1.0 / 400, 1e-15);
  EXPECT_NEAR(design.a.places[1].factor, 1.0 / 400, 1e-15);
  EXPECT_NEAR(design.a.exposure, 40, 1e-12);
}

TEST(MemberDesign, DenominatorsAreOfTheMeasure) {
  std::vector<Member> a = {member("", "", 100), member("", "", 300)}, b = a;
  MemberDesign per_unit = design_of(a, b, Measure::kPerUnit);
  EXPECT_NEAR(per_unit.a.places[0].factor, 1.0 / 80, 1e-15);
  EXPECT_NEAR(per_unit.a.weight_per_denominator, 5, 1e-15);
  MemberDesign total = design_of(a, b, Measure::kTotal);
  EXPECT_NEAR(total.a.places[0].factor, .5, 1e-15);
  EXPECT_NEAR(total.a.clusters[1].weight, .5, 1e-15);
}

TEST(MemberDesign, MembersOfAHostAreOneCluster) {
  MemberDesign design =
      design_of({member("x", "1", 100), member("y", "1", 100), member("x", "2", 200)},
                {member("z", "3", 100), member("", "", 100), member("", "", 100)});
  EXPECT_EQ(design.basis, Basis::kMembers);
  EXPECT_EQ(design.a.clusters.size(), 2u);
  EXPECT_NEAR(design.a.clusters[0].weight, .75, 1e-15);
  EXPECT_NEAR(design.a.clusters[0].exposure, 30, 1e-12);
  EXPECT_EQ(design.b.clusters.size(), 3u);  // members without a host are hosts of their own
  EXPECT_FALSE(design.few_hosts);
}

TEST(MemberDesign, OneHostASideIsSaidToBeFew) {
  MemberDesign design = design_of({member("x", "1", 100), member("x", "2", 100)},
                                  {member("y", "1", 100), member("y", "2", 100)});
  EXPECT_EQ(design.basis, Basis::kMembers);
  EXPECT_TRUE(design.few_hosts);
}

// By hand: pairs weigh the mean of 1/4 and 3/4, of 1/4 and 1/8, of 1/2 and 1/8.
TEST(MemberDesign, PairsWeighTheSameOnBothSides) {
  MemberDesign design =
      design_of({member("x", "1", 100), member("y", "1", 100), member("z", "1", 200)},
                {member("z", "1", 100), member("y", "1", 100), member("x", "1", 600)});
  EXPECT_EQ(design.basis, Basis::kPairs);
  for (const SideDesign* side : {&design.a, &design.b}) {
    EXPECT_NEAR(side->clusters[0].weight, .5, 1e-15);
    EXPECT_NEAR(side->clusters[1].weight, .1875, 1e-15);
    EXPECT_NEAR(side->clusters[2].weight, .3125, 1e-15);
  }
  EXPECT_NEAR(design.a.places[0].factor, .5 / 100, 1e-15);
  EXPECT_NEAR(design.b.places[2].factor, .5 / 600, 1e-15);
}

TEST(MemberDesign, PairsOfAHostAreOneClusterWhereThereAreHostsEnough) {
  std::vector<Member> three, two;
  for (const char* host : {"x", "y", "z"})
    for (const char* hour : {"1", "2"}) {
      three.push_back(member(host, hour, 100));
      if (*host != 'z') two.push_back(member(host, hour, 100));
    }
  MemberDesign hosts = design_of(three, three);
  EXPECT_EQ(hosts.basis, Basis::kPairs);
  EXPECT_EQ(hosts.a.clusters.size(), 3u);
  EXPECT_FALSE(hosts.few_hosts);
  MemberDesign hours = design_of(two, two);
  EXPECT_EQ(hours.basis, Basis::kPairs);
  EXPECT_EQ(hours.a.clusters.size(), 4u);
  EXPECT_TRUE(hours.few_hosts);
}

// Releases of two days: the hours differ, the hosts do not.
TEST(MemberDesign, HostsPairWhereHoursDoNot) {
  MemberDesign design =
      design_of({member("x", "mon", 100), member("y", "mon", 100), member("z", "mon", 100)},
                {member("x", "tue", 100), member("y", "tue", 100), member("z", "tue", 100)});
  EXPECT_EQ(design.basis, Basis::kPairs);
}

TEST(MemberDesign, LeavesOutAFewWithoutPartner) {
  std::vector<Member> a = {member("w", "1", 10), member("x", "1", 100), member("y", "1", 100),
                           member("z", "1", 100)};
  std::vector<Member> b = {member("x", "1", 100), member("y", "1", 100), member("z", "1", 100)};
  MemberDesign design = design_of(a, b);
  EXPECT_EQ(design.basis, Basis::kPairs);
  EXPECT_EQ(design.a.left_out, (LeftOuts{{0, LeftOutReason::kNoPartner}}));
  EXPECT_EQ(design.b.left_out, LeftOuts());
  EXPECT_FALSE(design.a.places[0].cluster);
  // ... but not a third of the weight.
  a[0] = member("w", "1", 150);
  EXPECT_EQ(design_of(a, b).basis, Basis::kMembers);
}

TEST(MemberDesign, SaysWhichPairsItFound) {
  std::vector<Member> a = {member("x", "1", 100), member("y", "1", 100), member("z", "1", 100)};
  PairsFound found = design_of(a, a).found;
  EXPECT_EQ(found.pairs, 3u);
  EXPECT_TRUE(found.by_hour);
  EXPECT_EQ(found.weight, (std::array<double, 2>{1, 1}));

  // Not enough of one hour: those of one host.
  std::vector<Member> b = {member("x", "2", 100), member("y", "2", 100), member("w", "1", 200)};
  found = design_of(a, b).found;
  EXPECT_EQ(found.pairs, 2u);
  EXPECT_FALSE(found.by_hour);
  EXPECT_NEAR(found.weight[0], 2.0 / 3, 1e-15);
  EXPECT_NEAR(found.weight[1], .5, 1e-15);
  EXPECT_EQ(found.has_hosts, (std::array<bool, 2>{true, true}));

  found = design_of(a, {member("", "", 100), member("", "", 100)}).found;
  EXPECT_EQ(found.pairs, 0u);
  EXPECT_EQ(found.has_hosts, (std::array<bool, 2>{true, false}));
}

// One of four profiles has 3 % of the weight: that is what counts, whatever rates are divided by.
TEST(MemberDesign, WhatPairsHoldIsWeight) {
  std::vector<Member> b = {member("x", "1", 100), member("y", "1", 100), member("z", "1", 100)};
  for (Measure measure : {Measure::kShare, Measure::kPerUnit, Measure::kTotal}) {
    std::vector<Member> a = b;
    a.push_back(member("w", "1", 10));
    a[3].units = 1e6;
    EXPECT_EQ(design_of(a, b, measure).basis, Basis::kPairs);
    a[3] = member("w", "1", 150);
    a[3].units = 1;
    EXPECT_EQ(design_of(a, b, measure).basis, Basis::kMembers);
  }
}

TEST(MemberDesign, LeavesOutEmptyProfiles) {
  MemberDesign design = design_of({member("", "", 100), member("", "", 0)}, {member("", "", 100)});
  EXPECT_EQ(design.basis, Basis::kSampling);
  EXPECT_EQ(design.a.left_out, (LeftOuts{{1, LeftOutReason::kNoSamples}}));
  EXPECT_EQ(design.b.left_out, LeftOuts());
}

TEST(MemberDesign, SaysOfEachSideWhatIsLeftOutAndWhy) {
  std::vector<Member> a = {member("x", "1", 100), member("y", "1", 100), member("z", "1", 100)};
  std::vector<Member> b = a;
  b.insert(b.begin(), member("w", "1", 0));
  b.push_back(member("v", "1", 10));
  b.push_back(member("u", "1", 10));
  b.back().units = 0;
  b.push_back(member("t", "1", 0));
  b.back().emptied = true;
  MemberDesign design = design_of(a, b, Measure::kPerUnit);
  EXPECT_EQ(design.basis, Basis::kPairs);
  EXPECT_EQ(design.a.left_out, LeftOuts());
  EXPECT_EQ(design.b.left_out, (LeftOuts{{0, LeftOutReason::kNoSamples},
                                         {4, LeftOutReason::kNoPartner},
                                         {5, LeftOutReason::kNoUnits},
                                         {6, LeftOutReason::kEmptied}}));
}

TEST(MemberDesign, RefusesWhatCannotBeCompared) {
  Side some{{member("", "", 100)}, {}}, none{{member("", "", 0)}, {}};
  auto error = [&](const Side& a, const Side& b, Measure measure) {
    Result<MemberDesign> design = design_members(a, b, measure, Pairing::kWherePossible);
    EXPECT_FALSE(design);
    return design.error().message;
  };
  EXPECT_EQ(error(none, some, Measure::kShare), "no profile of the first side has samples");
  EXPECT_EQ(error(some, {}, Measure::kShare), "no profile of the second side has samples");
  Side idle = some, broken = some, astray = some;
  idle.members[0].units = 0;
  EXPECT_EQ(error(idle, some, Measure::kPerUnit),
            "no profile of the first side has samples and units of work");
  broken.members[0].weight = std::nan("");
  EXPECT_EQ(error(broken, some, Measure::kShare),
            "profile 0 of the first side has a weight, samples or units of work that are not "
            "numbers from 0 on");
  astray.rows.push({.value = 1, .samples = 1, .member = 1}), astray.rows.end_list();
  EXPECT_EQ(error(some, astray, Measure::kShare),
            "row 0 in profile 1 of the second side: there is no such profile");
}

TEST(MemberDesign, RefusesRowsThatCannotBe) {
  Side some{{member("", "", 100), member("", "", 100)}, {}};
  auto error = [&](std::vector<Cell> cells) {
    Side broken = some;
    broken.rows.end_list();
    for (const Cell& cell : cells) broken.rows.push(cell);
    broken.rows.end_list();
    Result<MemberDesign> design =
        design_members(some, broken, Measure::kShare, Pairing::kWherePossible);
    return design ? "" : design.error().message;
  };
  EXPECT_EQ(error({{-1, 1, 1}}),
            "row 1 in profile 1 of the second side has a weight or samples that are not numbers "
            "from 0 on");
  EXPECT_EQ(error({{1, 0, 1}}), "row 1 in profile 1 of the second side has weight, but no samples");
  EXPECT_EQ(error({{100.1, 10, 1}}),
            "row 1 in profile 1 of the second side has more weight than all of the profile");
  EXPECT_EQ(error({{.1, 1, 1}, {.2, 1, 0}, {.3, 1, 1}}),
            "row 1 in profile 1 of the second side is there more than once");
  EXPECT_EQ(error({{100, 10, 1}, {100, 10, 0}}), "");
}

}  // namespace
}  // namespace pgo::verify::member_design_test
