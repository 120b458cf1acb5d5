#include "pgo/fetch/fleet_weights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "pgo/base/number_text.h"

namespace pgo {
namespace {

// For each host, what the weights of its profiles are multiplied by.
Result<std::map<std::string, double>> host_factors(const std::vector<WeightedProfile>& profiles,
                                                   const std::vector<double>& weights, WeightBy by,
                                                   const std::vector<HostTraffic>& traffic) {
  std::map<std::string, double> totals, wanted, factors;
  for (size_t i = 0; i < profiles.size(); i++) {
    if (profiles[i].host.empty())
      return fail(ErrorKind::kUsage,
                  "weights by host need profiles with the label 'host', and " +
                      format_count(static_cast<uint64_t>(std::count_if(
                                       profiles.begin(), profiles.end(),
                                       [](const auto& one) { return one.host.empty(); })),
                                   "has none", "have none"),
                  "\xFF{path-template} takes labels from paths");
    totals[profiles[i].host] += weights[i] * profiles[i].total;
  }
  for (const HostTraffic& one : traffic) wanted[one.host] = one.traffic;
  for (const auto& [host, total] : totals) {
    if (by == WeightBy::kTraffic && !wanted.contains(host))
      return fail(ErrorKind::kUsage, "\xFF{traffic} has no number for the host " + host,
                  "add a line '" + host + " NUMBER', or leave the host out");
    factors[host] = (by == WeightBy::kTraffic ? wanted[host] : 1) / std::max(total, 1e-300);
  }
  return factors;
}

// Exact, where all fractions have a common denominator that is small enough.
std::optional<std::vector<Weight>> exact_weights(const std::vector<WeightedProfile>& profiles) {
  // Profile i weighs represented / chosen * n / sum, where the sum is that of represented / chosen
  // of all profiles. With `common` as the denominator of these, both are whole numbers.
  uint64_t common = 1;
  for (const WeightedProfile& one : profiles) {
    if (one.represented > Weight::kMaxPart) return std::nullopt;
    common = std::lcm(common, one.chosen / std::gcd(one.chosen, one.represented));
    if (common > Weight::kMaxPart) return std::nullopt;
  }
  std::vector<uint64_t> parts;
  uint64_t sum = 0;  // below 2^20 * 2^20 for each of 2^20 profiles
  for (const WeightedProfile& one : profiles) {
    parts.push_back(common / (one.chosen / std::gcd(one.chosen, one.represented)) *
                    (one.represented / std::gcd(one.chosen, one.represented)));
    sum += parts.back();
  }
  uint64_t shared = sum;
  for (uint64_t& part : parts) {
    part *= profiles.size();
    shared = std::gcd(shared, part);
  }
  const uint64_t denominator = sum / shared;
  if (denominator > Weight::kMaxPart) return std::nullopt;
  std::vector<Weight> weights;
  for (uint64_t part : parts) {
    if (part / shared > Weight::kMaxPart) return std::nullopt;
    weights.push_back({part / shared, denominator});
  }
  return weights;
}

std::vector<Weight> rounded_weights(std::vector<double> weights) {
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) /
                      static_cast<double>(std::max<size_t>(weights.size(), 1));
  double largest = 0;
  for (double& weight : weights) {
    weight /= mean;
    largest = std::max(largest, weight);
  }
  // The largest numerator is a million at most.
  const double most = static_cast<double>(Weight::kMaxPart);
  const uint64_t denominator = static_cast<uint64_t>(std::clamp(most / largest, 1.0, most));
  std::vector<Weight> rounded;
  for (double weight : weights) {
    const double part = std::round(weight * static_cast<double>(denominator));
    rounded.push_back({static_cast<uint64_t>(std::clamp(part, 1.0, most)), denominator});
  }
  return rounded;
}

}  // namespace

Result<std::vector<Weight>> fleet_weights(const std::vector<WeightedProfile>& profiles, WeightBy by,
                                          const std::vector<HostTraffic>& traffic) {
  if (profiles.empty()) return std::vector<Weight>();
  if (by == WeightBy::kSample)
    if (std::optional<std::vector<Weight>> exact = exact_weights(profiles))
      return *std::move(exact);
  std::vector<double> weights;
  for (const WeightedProfile& one : profiles)
    weights.push_back(static_cast<double>(one.represented) / static_cast<double>(one.chosen));
  if (by != WeightBy::kSample) {
    PGO_TRY(auto factors, host_factors(profiles, weights, by, traffic));
    for (size_t i = 0; i < profiles.size(); i++) weights[i] *= factors.at(profiles[i].host);
  }
  return rounded_weights(std::move(weights));
}

}  // namespace pgo
