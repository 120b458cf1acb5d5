#include "pgo/fetch/outliers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>

#include "pgo/profile/fetch_thresholds.h"

namespace pgo {
namespace {

constexpr double kNormalMad = 1.4826;  // standard deviation of a normal variable, in its MADs

// Middle of a sorted list without the element at `left_out`; elements before `zeros` are 0, and
// `values` are the others.
class SortedShares {
 public:
  SortedShares(std::vector<double> values, size_t count)
      : values_(std::move(values)), count_(count), zeros_(count - values_.size()) {
    std::sort(values_.begin(), values_.end());
  }

  double median() const {
    return middle(count_, [&](size_t i) { return at(i); });
  }
  // Of the others than one with this value.
  double median_without(double value) const {
    const size_t left_out =
        value <= 0
            ? 0
            : zeros_ + static_cast<size_t>(std::lower_bound(values_.begin(), values_.end(), value) -
                                           values_.begin());
    return middle(count_ - 1, [&](size_t i) { return at(i < left_out ? i : i + 1); });
  }

 private:
  double at(size_t i) const { return i < zeros_ ? 0 : values_[i - zeros_]; }
  template <typename At>
  static double middle(size_t count, const At& at) {
    return count % 2 == 1 ? at(count / 2) : (at(count / 2 - 1) + at(count / 2)) / 2;
  }

  std::vector<double> values_;
  size_t count_, zeros_;
};

double median_of(std::vector<double> values) {
  const size_t count = values.size();
  return SortedShares(std::move(values), count).median();
}

// The profiles of a group, each compared with the others of it.
class PeerGroup {
 public:
  // O(leaves of all). Are profiles of two other hosts as near as two samples of one program are?
  bool has_company(size_t member) const {
    std::set<std::string> hosts;
    for (size_t other : members_) {
      const std::string& host = profiles_[other].stratum.host;
      if (other == member || (!host.empty() && host == profiles_[member].stratum.host)) continue;
      const double noise = expected_distance(profiles_[member].samples) +
                           expected_distance(profiles_[other].samples);
      if (overlap_of(*profiles_[member].leaves, *profiles_[other].leaves) <
          1 - noise - thresholds::kMinOutlierDistance)
        continue;
      hosts.insert(host.empty() ? std::to_string(other) : host);
      if (hosts.size() == 2) return true;
    }
    return false;
  }

  PeerGroup(const std::vector<ComparedProfile>& profiles, const std::vector<size_t>& members)
      : profiles_(profiles), members_(members) {
    std::map<uint64_t, std::vector<double>> shares;
    for (size_t member : members)
      for (const auto& [leaf, share] : profiles[member].leaves->shares)
        shares[leaf].push_back(share);
    for (auto& [leaf, values] : shares) {
      // A leaf that fewer than half have has the median 0, whichever is left out.
      if (2 * values.size() + 2 < members.size()) continue;
      const SortedShares& sorted =
          leaves_.emplace(leaf, SortedShares(std::move(values), members.size())).first->second;
      sum_without_zero_ += sorted.median_without(0);
      median_sum_ += sorted.median();
    }
    for (const auto& [leaf, sorted] : leaves_)
      if (median_sum_ > 0) medians_.push_back(sorted.median() / median_sum_);
  }

  std::vector<PeerComparison> compare() const {
    std::vector<PeerComparison> compared;
    std::vector<double> excess;
    for (size_t member : members_) {
      const ComparedProfile& profile = profiles_[member];
      PeerComparison one{.overlap = overlap_with_others(*profile.leaves),
                         .expected = 1 - expected_distance(profile.samples),
                         .peers = members_.size() - 1};
      excess.push_back(one.expected - one.overlap);
      compared.push_back(one);
    }
    const double usual = median_of(excess);
    std::vector<double> deviations;
    for (double one : excess) deviations.push_back(std::abs(one - usual));
    const double deviation =
        std::max(kNormalMad * median_of(deviations), thresholds::kMinDistanceDeviation);
    const double others = static_cast<double>(members_.size() - 1);
    const double deviations_allowed =
        thresholds::kOutlierDeviations * (1 + thresholds::kFewOutlierPeers / others);
    const double most =
        std::max(usual + deviations_allowed * deviation, thresholds::kMinOutlierDistance);
    for (size_t i = 0; i < compared.size(); i++) compared[i].is_outlier = excess[i] > most;
    return compared;
  }

 private:
  double overlap_with_others(const LeafShares& leaves) const {
    std::vector<std::pair<double, double>> both;  // share, median of the others
    double sum = sum_without_zero_;
    for (const auto& [leaf, share] : leaves.shares) {
      auto found = leaves_.find(leaf);
      if (found == leaves_.end()) continue;
      const double median = found->second.median_without(share);
      sum += median - found->second.median_without(0);
      both.emplace_back(share, median);
    }
    double overlap = 0;
    if (sum > 0)
      for (const auto& [share, median] : both) overlap += std::min(share, median / sum);
    return overlap;
  }

  // Half of the mean absolute differences of a sample from the shares that it is drawn with: those
  // of a normal variable, or, of a rare leaf, at most twice its share.
  double expected_distance(uint64_t samples) const {
    const double count = static_cast<double>(std::max<uint64_t>(samples, 1));
    double distance = 0;
    for (double share : medians_)
      distance +=
          std::min(std::sqrt(2 / std::numbers::pi * share * (1 - share) / count), 2 * share);
    return std::min(distance / 2, 1.0);
  }

  const std::vector<ComparedProfile>& profiles_;
  const std::vector<size_t>& members_;
  std::map<uint64_t, SortedShares> leaves_;
  double sum_without_zero_ = 0, median_sum_ = 0;
  std::vector<double> medians_;  // they sum up to 1
};

}  // namespace

std::vector<std::optional<PeerComparison>> compare_with_peers(
    const std::vector<ComparedProfile>& profiles) {
  std::vector<std::optional<PeerComparison>> compared(profiles.size());
  enum class Company { kCounts, kCountsNot };
  auto compare_by = [&](Company company, const auto& key_of) {
    std::map<std::pair<std::string, StratumKey>, std::vector<size_t>> groups;  // by build, too
    for (size_t i = 0; i < profiles.size(); i++)
      groups[{profiles[i].program, key_of(profiles[i].stratum)}].push_back(i);
    for (const auto& [key, members] : groups) {
      const bool is_needed = std::any_of(members.begin(), members.end(),
                                         [&](size_t member) { return !compared[member]; });
      if (members.size() <= thresholds::kMinOutlierPeers || !is_needed) continue;
      const PeerGroup group(profiles, members);
      const std::vector<PeerComparison> its = group.compare();
      for (size_t i = 0; i < members.size(); i++) {
        std::optional<PeerComparison>& one = compared[members[i]];
        if (one) continue;
        one = its[i];
        if (one->is_outlier && company == Company::kCounts)
          one->is_outlier = !group.has_company(members[i]);
      }
    }
  };
  compare_by(Company::kCountsNot, [](StratumKey key) {
    key.host.clear();
    return key;
  });
  compare_by(Company::kCounts, [](const StratumKey& key) {
    StratumKey of_hour;
    of_hour.hour = key.hour;
    return of_hour;
  });
  compare_by(Company::kCounts, [](const StratumKey&) { return StratumKey(); });
  return compared;
}

}  // namespace pgo
