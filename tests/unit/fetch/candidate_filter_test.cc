#include "pgo/fetch/candidate_filter.h"

#include <gtest/gtest.h>

namespace pgo::candidate_filter_test {
namespace {

constexpr int64_t kMinute = int64_t{60} * 1'000'000'000;

Candidate profile(const std::string& name, const std::string& host, int64_t minute,
                  const std::string& version = "1", uint64_t size = 100) {
  SourceObject object;
  object.name = name;
  object.labels = {{"version", version}};
  if (!host.empty()) object.labels["host"] = host;
  object.time = minute * kMinute;
  object.time_evidence = TimeEvidence::kStore;
  object.size = size;
  return Candidate::of(0, "s3://b/p", object);
}

std::string names_of(const FilteredCandidates& filtered) {
  std::string names;
  for (const Candidate& one : filtered.kept) names += (names.empty() ? "" : " ") + one.object.name;
  return names;
}

TEST(CandidateFilter, KeepsTheWindow) {
  Candidate timeless = profile("t", "web-1", 0);
  timeless.recorded = {};
  const FilteredCandidates filtered =
      filter_candidates({profile("b", "web-1", 20), profile("a", "web-1", 10),
                         profile("c", "web-1", 30), timeless},
                        {.window = TimeWindow{10 * kMinute, 30 * kMinute}})
          .value();
  EXPECT_EQ(names_of(filtered), "a b t");
  EXPECT_EQ(filtered.left_out, (std::map<NotAsked, uint64_t>{{NotAsked::kWindow, 1}}));
}

// What the profiles say themselves decides about these, once they are there.
TEST(CandidateFilter, KeepsWhatMayBeOfTheWindow) {
  auto of = [](TimeEvidence evidence, const std::string& name, int64_t minute) {
    Candidate candidate = profile(name, "web-1", minute);
    candidate.recorded.evidence = evidence;
    return candidate;
  };
  const CandidateFilter filter{.window = TimeWindow{600 * kMinute, 660 * kMinute}};
  // The hour begins then.
  constexpr TimeEvidence kName = TimeEvidence::kName;
  EXPECT_EQ(names_of(filter_candidates({of(kName, "a", 540), of(kName, "b", 541),
                                        of(kName, "c", 659), of(kName, "d", 660)},
                                       filter)
                         .value()),
            "b c");
  // It was uploaded then, two hours after its begin at the latest.
  constexpr TimeEvidence kModified = TimeEvidence::kModified;
  EXPECT_EQ(names_of(filter_candidates({of(kModified, "a", 599), of(kModified, "b", 600),
                                        of(kModified, "c", 779), of(kModified, "d", 780)},
                                       filter)
                         .value()),
            "b c");
}

TEST(CandidateFilter, KeepsWhatMayHaveTheLabel) {
  const FilteredCandidates filtered =
      filter_candidates(
          {profile("a", "web-1", 1, "1"), profile("b", "web-1", 1, "2"), profile("c", "", 1, "2")},
          {.labels = {{"version", "2"}, {"host", "web-1"}}})
          .value();
  EXPECT_EQ(names_of(filtered), "b c");  // the profile itself may tell the host of c
  EXPECT_EQ(filtered.left_out, (std::map<NotAsked, uint64_t>{{NotAsked::kLabel, 1}}));
}

TEST(CandidateFilter, SkipsTheFirstMinutesOfEachRun) {
  const FilteredCandidates filtered =
      filter_candidates(
          {profile("a0", "web-1", 0), profile("a9", "web-1", 9), profile("a10", "web-1", 10),
           profile("b5", "web-1", 15, "2"), profile("c0", "web-2", 9)},
          {.skip_after_start = 10 * kMinute})
          .value();
  EXPECT_EQ(names_of(filtered), "a10");
  EXPECT_EQ(filtered.left_out, (std::map<NotAsked, uint64_t>{{NotAsked::kAfterStart, 4}}));
}

// A run that began before the window has no first minutes in it.
TEST(CandidateFilter, KnowsRunsThatBeganBeforeTheWindow) {
  const FilteredCandidates filtered =
      filter_candidates(
          {profile("a", "web-1", 1), profile("b", "web-1", 12), profile("c", "web-2", 12),
           profile("d", "web-2", 22)},
          {.window = TimeWindow{11 * kMinute, 60 * kMinute}, .skip_after_start = 10 * kMinute})
          .value();
  EXPECT_EQ(names_of(filtered), "b d");
}

TEST(CandidateFilter, KeepsTheBusiestHosts) {
  const std::vector<Candidate> all{profile("a", "web-1", 1, "1", 500),
                                   profile("b", "web-2", 1, "1", 300),
                                   profile("c", "web-2", 2, "1", 300), profile("d", "web-3", 1)};
  CandidateFilter filter{.busiest = 1};
  EXPECT_EQ(names_of(filter_candidates(all, filter).value()), "b c");
  filter.traffic = {{"web-3", 9}, {"web-1", 5}};
  EXPECT_EQ(names_of(filter_candidates(all, filter).value()), "d");
  filter.busiest = 2;
  EXPECT_EQ(names_of(filter_candidates(all, filter).value()), "a d");
}

TEST(CandidateFilter, RefusesBusyHostsOfWhichNobodyKnows) {
  const Result<FilteredCandidates> filtered =
      filter_candidates({profile("a", "", 1)}, {.busiest = 1});
  ASSERT_FALSE(filtered);
  EXPECT_EQ(filtered.error(),
            (Error{ErrorKind::kUsage, "\xFF{busiest} needs the label 'host', which no profile has",
                   "\xFF{path-template} takes labels from paths"}));
}

}  // namespace
}  // namespace pgo::candidate_filter_test
