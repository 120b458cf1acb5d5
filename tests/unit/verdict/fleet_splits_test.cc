#include "pgo/verdict/fleet_splits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace pgo::fleet_splits_test {
namespace {

// Hosts with so many profiles each.
verify::Side fleet_of(const std::vector<int>& hosts) {
  verify::Side side;
  for (size_t host = 0; host < hosts.size(); host++)
    for (int profile = 0; profile < hosts[host]; profile++)
      side.members.push_back({.host = "web-" + std::to_string(host), .weight = 1, .samples = 1});
  return side;
}

size_t count_different(const FleetSplits& splits) {
  return std::set<Halves>(splits.splits.begin(), splits.splits.end()).size();
}

TEST(FleetSplits, AreAllOfAFewHosts) {
  const FleetSplits splits = split_fleet(fleet_of({1, 1, 1, 1, 1, 1}), SplitKind::kHosts, 200);
  EXPECT_TRUE(splits.are_all);
  EXPECT_EQ(splits.splits.size(), 20u);  // 6! / (3! 3!)
  EXPECT_EQ(count_different(splits), 20u);
  EXPECT_EQ(splits.splits[0], (Halves{0, 0, 0, 1, 1, 1}));
}

// Each host has two profiles, and 2^3 ways to divide them; of three, one is left out (6 ways).
TEST(FleetSplits, DivideTheProfilesOfEachHost) {
  EXPECT_EQ(count_different(split_fleet(fleet_of({2, 2, 2}), SplitKind::kWithinHosts, 200)), 8u);
  const FleetSplits splits = split_fleet(fleet_of({2, 3, 2, 1}), SplitKind::kWithinHosts, 24);
  EXPECT_TRUE(splits.are_all);
  EXPECT_EQ(count_different(splits), 24u);
  for (const Halves& halves : splits.splits) {
    EXPECT_EQ(std::count(halves.begin(), halves.end(), 0), 3);
    EXPECT_EQ(std::count(halves.begin(), halves.end(), 1), 3);
    EXPECT_EQ(halves[7], kNoHalf);
  }
}

TEST(FleetSplits, AreDrawnFromMany) {
  const FleetSplits splits = split_fleet(fleet_of({2, 2, 2, 2, 2, 2}), SplitKind::kHosts, 19);
  EXPECT_FALSE(splits.are_all);
  EXPECT_EQ(splits.splits.size(), 19u);
  EXPECT_GT(count_different(splits), 5u);
  for (const Halves& halves : splits.splits)
    for (size_t member = 0; member < 12; member += 2) EXPECT_EQ(halves[member], halves[member + 1]);
}

TEST(FleetSplits, AreOfTheKindsThatAFleetIsLargeEnoughFor) {
  using enum SplitKind;
  EXPECT_EQ(split_kinds(fleet_of({1, 1, 1, 1, 1, 1})), std::vector{kHosts});
  EXPECT_EQ(split_kinds(fleet_of({2, 2, 2})), std::vector{kWithinHosts});
  EXPECT_EQ(split_kinds(fleet_of({2, 2, 2, 1, 1, 1})), (std::vector{kHosts, kWithinHosts}));
  EXPECT_EQ(split_kinds(fleet_of({5, 1})), std::vector{kProfiles});
  EXPECT_TRUE(split_kinds(fleet_of({3, 2})).empty());
  verify::Side idle = fleet_of({1, 1, 1, 1, 1, 1});
  idle.members[0].weight = 0;
  EXPECT_EQ(count_active(idle), 5u);
  EXPECT_TRUE(split_kinds(idle).empty());
}

}  // namespace
}  // namespace pgo::fleet_splits_test
