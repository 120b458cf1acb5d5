// A planted fleet: at night a tenth of the traffic, and other code; one zone is different. A choice
// is like the whole fleet; the newest profiles are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "pgo/fetch/fleet_weights.h"
#include "pgo/fetch/leaf_shares.h"
#include "pgo/fetch/selection.h"
#include "tests/data/draws.h"
#include "tests/data/small_stacks.h"

namespace pgo::representative_test {
namespace {

constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
constexpr int kHosts = 16, kHours = 24;

struct Profile {
  Candidate candidate;
  LeafShares leaves;
  double samples = 0;
};

// Hosts of zone b record three times as often.
class PlantedFleet {
 public:
  explicit PlantedFleet(uint64_t seed) : draws_(seed) {
    for (int hour = 0; hour < kHours; hour++)
      for (int host = 0; host < kHosts; host++)
        for (int i = 0; i < (host % 4 == 3 ? 18 : 6); i++) add(host, hour, i);
  }

  const std::vector<Profile>& profiles() const { return profiles_; }
  LeafShares all() const {
    MeanLeafShares mean;
    for (const Profile& one : profiles_) mean.add(one.leaves, one.samples);
    return mean.mean();
  }
  LeafShares newest(size_t count) const {
    std::vector<const Profile*> sorted;
    for (const Profile& one : profiles_) sorted.push_back(&one);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Profile* a, const Profile* b) {
      return a->candidate.object.time > b->candidate.object.time;
    });
    MeanLeafShares mean;
    for (size_t i = 0; i < count; i++) mean.add(sorted[i]->leaves, sorted[i]->samples);
    return mean.mean();
  }
  LeafShares chosen(uint64_t count) const {
    std::vector<Candidate> candidates;
    std::map<std::string, const Profile*> by_name;
    for (const Profile& one : profiles_) {
      candidates.push_back(one.candidate);
      by_name[one.candidate.object.name] = &one;
    }
    const Selection selection = choose_profiles(candidates, {.max_profiles = count});
    EXPECT_EQ(selection.chosen.size(), count);
    std::vector<WeightedProfile> weighted;
    for (const ChosenCandidate& one : selection.chosen) {
      const Stratum& stratum = selection.strata[one.stratum];
      weighted.push_back(
          {"", by_name.at(one.candidate.object.name)->samples, stratum.listed, stratum.chosen});
    }
    const std::vector<Weight> weights = fleet_weights(weighted, WeightBy::kSample, {}).value();
    MeanLeafShares mean;
    for (size_t i = 0; i < weights.size(); i++)
      mean.add(by_name.at(selection.chosen[i].candidate.object.name)->leaves,
               weighted[i].total * static_cast<double>(weights[i].numerator) /
                   static_cast<double>(weights[i].denominator));
    return mean.mean();
  }

 private:
  void add(int host, int hour, int number) {
    const bool is_night = hour >= 16, is_b = host % 4 == 3;
    const double samples = (is_night ? 50 : 500) * (.7 + .6 * draws_.uniform());
    std::map<std::string, int64_t> counts;
    for (int i = 0; i < static_cast<int>(samples); i++) {
      const double place = draws_.uniform();
      // Of the n functions of a kind, the first ones have most.
      auto pick = [&](const std::string& kind, int functions) {
        return kind + std::to_string(static_cast<int>(functions * std::pow(draws_.uniform(), 3)));
      };
      if (is_b && place < .3)
        counts[pick("zone_b", 15)]++;
      else if (is_night && place < .75)
        counts[pick("backup", 20)]++;
      else
        counts[pick("serve", 60)]++;
    }
    std::vector<test::SmallSample> stacks;
    for (const auto& [name, count] : counts) stacks.push_back({.stack = {{name}}, .count = count});
    SourceObject object;
    object.name =
        std::to_string(hour) + "/web-" + std::to_string(host) + "-" + std::to_string(number);
    object.labels = {{"host", "web-" + std::to_string(host)}, {"zone", is_b ? "b" : "a"}};
    object.time = hour * kHour + number * kHour / 20;
    object.time_evidence = TimeEvidence::kStore;
    profiles_.push_back({Candidate::of(0, "dir:fleet", object),
                         leaf_shares(test::small_stacks(stacks), 0), samples});
  }

  verify::Draws draws_;
  std::vector<Profile> profiles_;
};

TEST(Representative, ChoicesAreLikeTheFleet) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    const PlantedFleet fleet(seed);
    EXPECT_EQ(fleet.profiles().size(), 3456u);
    const LeafShares all = fleet.all();
    for (uint64_t count : {100u, 400u}) {
      EXPECT_GE(overlap_of(all, fleet.chosen(count)), .95) << count << " of seed " << seed;
      EXPECT_LT(overlap_of(all, fleet.newest(count)), .8) << count << " of seed " << seed;
    }
  }
}

}  // namespace
}  // namespace pgo::representative_test
