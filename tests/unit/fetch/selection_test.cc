#include "pgo/fetch/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/data/random_numbers.h"

namespace pgo::selection_test {
namespace {

constexpr int64_t kHour = int64_t{3600} * 1'000'000'000, kMidnight = 1'700'006'400'000'000'000;

Candidate profile(const std::string& host, int hour, int number, uint64_t size = 100) {
  const std::string two = (hour < 10 ? "0" : "") + std::to_string(hour);
  SourceObject object;
  object.name = host + "/" + two + "/" + std::to_string(number) + ".pb.gz";
  object.labels = {{"host", host}};
  object.time = kMidnight + hour * kHour;
  object.time_evidence = TimeEvidence::kName;
  object.size = size;
  object.version = "1";
  return Candidate::of(0, "dir:store", object);
}

std::vector<Candidate> fleet(int hosts, int hours, int each) {
  std::vector<Candidate> all;
  for (int host = 0; host < hosts; host++)
    for (int hour = 0; hour < hours; hour++)
      for (int number = 0; number < each; number++)
        all.push_back(profile("web-" + std::to_string(host), hour, number));
  return all;
}

std::vector<std::string> names_of(const Selection& selection) {
  std::vector<std::string> names;
  for (const ChosenCandidate& one : selection.chosen) names.push_back(one.candidate.object.name);
  return names;
}

TEST(Selection, TakesAllThatFits) {
  const Selection selection = choose_profiles(fleet(2, 3, 4), {});
  EXPECT_EQ(selection.chosen.size(), 24u);
  EXPECT_EQ(selection.left_out, 0u);
  ASSERT_EQ(selection.strata.size(), 6u);
  EXPECT_EQ(describe_stratum(selection.strata[0].key), "host web-0, hour 2023-11-15T00");
  EXPECT_EQ(selection.strata[0].listed, 4u);
  EXPECT_EQ(selection.strata[0].chosen, 4u);
  EXPECT_EQ(selection.strata[0].listed_bytes, 400u);
}

TEST(Selection, RepresentsEachHostAndHour) {
  const Selection selection = choose_profiles(fleet(4, 24, 10), {.max_profiles = 200});
  EXPECT_EQ(selection.detail, StratumDetail::kHostAndHour);
  EXPECT_EQ(selection.chosen.size(), 200u);
  EXPECT_EQ(selection.left_out, 760u);
  EXPECT_EQ(selection.left_out_bytes, 76'000u);
  for (const Stratum& stratum : selection.strata) {
    EXPECT_GE(stratum.chosen, 2u);
    EXPECT_LE(stratum.chosen, 3u);
  }
}

TEST(Selection, KeepsHoursWhereHostsAreTooMany) {
  const Selection selection = choose_profiles(fleet(50, 24, 2), {.max_profiles = 48});
  EXPECT_EQ(selection.detail, StratumDetail::kHour);
  ASSERT_EQ(selection.strata.size(), 24u);
  std::map<std::string, uint64_t> of_hour;
  for (const Stratum& stratum : selection.strata) EXPECT_EQ(stratum.chosen, 2u);
  for (const ChosenCandidate& one : selection.chosen) of_hour[one.candidate.recorded.hour]++;
  EXPECT_EQ(of_hour.size(), 24u);
  for (const auto& [hour, count] : of_hour) EXPECT_EQ(count, 2u) << hour;
}

// A host that recorded half of the profiles of each hour has about half of the chosen ones: 120
// with a standard deviation of 7.3, as of 10 out of 40 + 40 in each of 24 hours.
TEST(Selection, GivesEachProfileOfAnHourTheSameChance) {
  std::vector<Candidate> all = fleet(40, 24, 1);
  for (int hour = 0; hour < 24; hour++)
    for (int number = 0; number < 40; number++) all.push_back(profile("busy", hour, number));
  const Selection selection = choose_profiles(all, {.max_profiles = 240});
  EXPECT_EQ(selection.detail, StratumDetail::kHour);
  ASSERT_EQ(selection.chosen.size(), 240u);
  double busy = 0, represented = 0;
  for (const ChosenCandidate& one : selection.chosen) {
    if (host_label_of(one.candidate.object.labels) != "busy") continue;
    const Stratum& stratum = selection.strata[one.stratum];
    busy++;
    represented += static_cast<double>(stratum.listed) / static_cast<double>(stratum.chosen);
  }
  EXPECT_NEAR(busy, 120, 22);
  EXPECT_NEAR(represented, 24 * 40, 176);
}

TEST(Selection, TakesAnyWhereHoursAreTooMany) {
  const Selection selection = choose_profiles(fleet(2, 24, 1), {.max_profiles = 5});
  EXPECT_EQ(selection.detail, StratumDetail::kNeither);
  ASSERT_EQ(selection.strata.size(), 1u);
  EXPECT_EQ(describe_stratum(selection.strata[0].key), "all profiles");
  EXPECT_EQ(selection.chosen.size(), 5u);
}

TEST(Selection, StopsAtTheLimitOfBytes) {
  const Selection selection = choose_profiles(fleet(2, 2, 5), {.max_bytes = 1000});
  EXPECT_EQ(selection.chosen.size(), 10u);
  for (const Stratum& stratum : selection.strata) EXPECT_GE(stratum.chosen, 2u);
}

TEST(Selection, NamesWhatIsLargerThanAllTogetherMayBe) {
  std::vector<Candidate> all = fleet(1, 1, 2);
  all.push_back(profile("web-9", 3, 0, 5000));
  const Selection selection = choose_profiles(all, {.max_bytes = 1000});
  EXPECT_EQ(selection.chosen.size(), 2u);
  ASSERT_EQ(selection.too_large.size(), 1u);
  EXPECT_EQ(selection.too_large[0].object.name, "web-9/03/0.pb.gz");
  EXPECT_EQ(selection.left_out, 0u);
}

// The same content gives the same choice, whatever order it is listed in.
TEST(Selection, DoesNotDependOnTheOrderOfTheListing) {
  verify::RandomNumbers random(17);
  for (int round = 0; round < 50; round++) {
    std::vector<Candidate> all;
    const int profiles = 1 + static_cast<int>(random.next() % 300);
    for (int i = 0; i < profiles; i++) {
      Candidate one = profile("web-" + std::to_string(random.next() % 7),
                              static_cast<int>(random.next() % 24), i, random.next() % 1000);
      if (random.next() % 3 == 0) one.object.labels["zone"] = random.next() % 2 ? "eu" : "us";
      all.push_back(Candidate::of(one.source, one.source_name, one.object));
    }
    const SelectionLimits limits{.max_profiles = 1 + random.next() % 200,
                                 .max_bytes = 1 + random.next() % 100'000};
    const std::vector<std::string> expected = names_of(choose_profiles(all, limits));
    for (int shuffled = 0; shuffled < 5; shuffled++) {
      for (size_t i = all.size(); i > 1; i--) std::swap(all[i - 1], all[random.next() % i]);
      EXPECT_EQ(names_of(choose_profiles(all, limits)), expected) << "round " << round;
    }
  }
}

// A new profile changes the choice of its own stratum only.
TEST(Selection, KeepsItsChoiceWhenTheStoreGrows) {
  std::vector<Candidate> all = fleet(3, 8, 6);
  const std::vector<std::string> before = names_of(choose_profiles(all, {.max_profiles = 48}));
  all.push_back(profile("web-1", 3, 99));
  const std::vector<std::string> after = names_of(choose_profiles(all, {.max_profiles = 48}));
  std::vector<std::string> gone;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(gone));
  EXPECT_LE(gone.size(), 1u);
  for (const std::string& name : gone) EXPECT_EQ(name.substr(0, 8), "web-1/03");
}

TEST(Candidate, TakesTheHourFromNamesBeforeTheTimeOfTheLastChange) {
  SourceObject object;
  object.time = kMidnight + 20 * kHour;
  object.time_evidence = TimeEvidence::kModified;
  EXPECT_EQ(recorded_time(object).hour, "2023-11-15T20");
  EXPECT_EQ(recorded_time(object).evidence, TimeEvidence::kModified);
  object.labels["hour"] = "2023-11-14T07";
  EXPECT_EQ(recorded_time(object).hour, "2023-11-14T07");
  EXPECT_EQ(recorded_time(object).evidence, TimeEvidence::kName);
  EXPECT_EQ(recorded_time(object).time, kMidnight - 17 * kHour);
  object.labels = {{"hour", "07"}, {"date", "2023-11-15"}};
  EXPECT_EQ(recorded_time(object).hour, "2023-11-15T07");
  object.labels = {{"hour", "morning"}};
  EXPECT_EQ(recorded_time(object).hour, "morning");
  EXPECT_EQ(recorded_time(object).evidence, TimeEvidence::kModified);
}

TEST(Candidate, FindsTheHostByTheNamesThatStoresHave) {
  EXPECT_EQ(host_label_of({{"pod", "p"}, {"instance", "i"}, {"node", "n"}}), "i");
  EXPECT_EQ(host_label_of({{"host", "h"}, {"instance", "i"}}), "h");
  EXPECT_EQ(host_label_of({{"service", "s"}}), "");
}

}  // namespace
}  // namespace pgo::selection_test
