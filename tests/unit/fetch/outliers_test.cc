#include "pgo/fetch/outliers.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "tests/data/random_numbers.h"
#include "tests/data/small_stacks.h"

namespace pgo::outliers_test {
namespace {

class OutliersTest : public testing::Test {
 protected:
  // `samples` of functions "<kind>0" to "<kind>19", drawn by chance.
  void add(const std::string& host, const std::string& hour, const std::string& kind,
           uint64_t samples, const std::string& program = "") {
    std::map<std::string, int64_t> counts;
    for (uint64_t i = 0; i < samples; i++)
      counts[kind + std::to_string(std::min(random_.next() % 20, random_.next() % 20))]++;
    std::vector<test::SmallSample> stacks;
    for (const auto& [name, count] : counts) stacks.push_back({.stack = {{name}}, .count = count});
    leaves_.push_back(leaf_shares(test::small_stacks(stacks), 0));
    StratumKey key;
    key.host = host;
    key.hour = hour;
    profiles_.push_back({&leaves_.back(), samples, key, program});
  }
  // Positions of outliers, as text.
  std::string outliers() const {
    std::string found;
    const auto compared = compare_with_peers(profiles_);
    for (size_t i = 0; i < compared.size(); i++)
      if (compared[i] && compared[i]->is_outlier) found += std::to_string(i) + " ";
    return found;
  }

  std::deque<LeafShares> leaves_;
  std::vector<ComparedProfile> profiles_;
  verify::RandomNumbers random_{3};
};

TEST_F(OutliersTest, AreNoneWhereHostsDifferByChance) {
  for (int i = 0; i < 30; i++) add("web-" + std::to_string(i), "10", "f", i % 3 == 0 ? 50 : 5000);
  EXPECT_EQ(outliers(), "");
}

TEST_F(OutliersTest, AreHostsThatRunSomethingElse) {
  for (int i = 0; i < 10; i++) add("web-" + std::to_string(i), "10", i == 4 ? "g" : "f", 1000);
  EXPECT_EQ(outliers(), "4 ");
  const PeerComparison compared = *compare_with_peers(profiles_)[4];
  EXPECT_EQ(compared.overlap, 0);
  EXPECT_GT(compared.expected, .9);
  EXPECT_EQ(compared.peers, 9u);
}

TEST_F(OutliersTest, AreComparedWithTheSameHour) {
  for (int hour = 0; hour < 4; hour++)
    for (int i = 0; i < 6; i++)
      add("web-" + std::to_string(i), std::to_string(hour), hour == 0 ? "night" : "day", 1000);
  EXPECT_EQ(outliers(), "");
  add("web-9", "0", "day", 1000);
  EXPECT_EQ(outliers(), "24 ");
}

// After a deploy the new build has other addresses, and few profiles at first.
TEST_F(OutliersTest, AreComparedWithTheSameBuild) {
  for (int i = 0; i < 10; i++) add("web-1", std::to_string(i), "old", 1000, "a1");
  add("web-1", "10", "new", 1000, "b2");
  EXPECT_EQ(outliers(), "");
  EXPECT_FALSE(compare_with_peers(profiles_)[10]);
  for (int i = 0; i < 5; i++) add("web-1", std::to_string(11 + i), "new", 1000, "b2");
  add("web-2", "17", "stuck", 1000, "b2");
  EXPECT_EQ(outliers(), "16 ");
}

// With few profiles of each hour all are compared, and those of a night have each other.
TEST_F(OutliersTest, HaveNoCompanyOfOtherHosts) {
  for (int hour = 0; hour < 24; hour++)
    add("web-" + std::to_string(hour % 6), std::to_string(hour), hour < 5 ? "night" : "day", 500);
  EXPECT_EQ(outliers(), "");
  add("web-0", "24", "stuck", 500);
  add("web-0", "25", "stuck", 500);
  EXPECT_EQ(outliers(), "24 25 ");
}

// A zone of four hosts is too small to be compared by itself.
TEST_F(OutliersTest, AreNoSmallZones) {
  for (int i = 0; i < 16; i++) {
    add("web-" + std::to_string(i), "10", i % 4 == 3 ? "b" : "a", 1000);
    profiles_.back().stratum.zone = i % 4 == 3 ? "b" : "a";
  }
  EXPECT_EQ(outliers(), "");
  add("web-16", "10", "stuck", 1000);
  profiles_.back().stratum.zone = "b";
  EXPECT_EQ(outliers(), "16 ");
}

TEST_F(OutliersTest, CannotBeToldFromFewOthers) {
  for (int i = 0; i < 4; i++) add("web-" + std::to_string(i), "10", i == 0 ? "g" : "f", 1000);
  for (const auto& one : compare_with_peers(profiles_)) EXPECT_FALSE(one);
}

// The median of the others: that of an even number is between two.
TEST_F(OutliersTest, OverlapWithTheMedianOfTheOthers) {
  for (int64_t count : {50, 60, 70, 80, 100}) {
    leaves_.push_back(leaf_shares(test::small_stacks({{.stack = {{"a"}}, .count = count},
                                                      {.stack = {{"b"}}, .count = 100 - count}}),
                                  0));
    profiles_.push_back({&leaves_.back(), 100, {}});
  }
  // Without the first: a has .75, b has .25 in the middle.
  EXPECT_NEAR(compare_with_peers(profiles_)[0]->overlap, .75, 1e-9);
  // Without the last: .65 and .35.
  EXPECT_NEAR(compare_with_peers(profiles_)[4]->overlap, .65, 1e-9);
}

TEST(LeafShares, AreOfFunctionsByNameAndOfCodeByPiece) {
  const LeafShares named = leaf_shares(test::small_stacks({{.stack = {{"a"}, {"main"}}, .count = 3},
                                                           {.stack = {{"a"}}, .count = 1},
                                                           {.stack = {{"b"}}, .count = 4}}),
                                       0);
  ASSERT_EQ(named.shares.size(), 2u);
  EXPECT_EQ(named.shares[0].second, .5);
  EXPECT_EQ(named.top_name, "a");
  const LeafShares nameless =
      leaf_shares(test::small_stacks({{.stack = {{""}}, .count = 1}, {.stack = {{""}}}}), 0);
  EXPECT_EQ(nameless.shares.size(), 1u);
  EXPECT_EQ(nameless.top_name, "server+0x0");
}

TEST(LeafShares, AddUpTheLocationsOfAFunction) {
  StackProfile profile;
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  const LabelsId no_labels = profile.add_labels({});
  // Functions of the same name, as before normalize(), and with several lines each.
  for (const char* name : {"a", "a", "b"}) {
    const FunctionId function = profile.add_function({profile.strings.add(name)});
    for (int64_t line : {1, 2}) {
      const LocationId leaf = profile.add_location({}, {{function, line, 0}});
      profile.add_sample({profile.add_stack({leaf}), no_labels}, {line});
    }
  }
  const LeafShares shares = leaf_shares(profile, 0);
  ASSERT_EQ(shares.shares.size(), 2u);
  EXPECT_EQ(shares.top_name, "a");
  EXPECT_EQ(shares.top_share, 6. / 9);
}

TEST(LeafShares, OverlapByTheLesserShares) {
  auto shares = [](int64_t a, int64_t b, int64_t c) {
    return leaf_shares(test::small_stacks({{.stack = {{"a"}}, .count = a},
                                           {.stack = {{"b"}}, .count = b},
                                           {.stack = {{"c"}}, .count = c}}),
                       0);
  };
  EXPECT_NEAR(overlap_of(shares(5, 5, 0), shares(2, 2, 6)), .4, 1e-12);
  MeanLeafShares mean;
  EXPECT_TRUE(mean.empty());
  mean.add(shares(10, 0, 0), 1);
  mean.add(shares(0, 10, 0), 3);
  EXPECT_NEAR(overlap_of(mean.mean(), shares(1, 3, 0)), 1, 1e-12);
}

}  // namespace
}  // namespace pgo::outliers_test
