// Weights that make chosen profiles represent all profiles that a source has.
//
// By sample: a profile stands for all profiles of its stratum, chosen or not. If 2 of 6 were
// chosen, each of them counts 3 times (the Horvitz-Thompson estimator). Profiles are counted, not
// their bytes: what is estimated is then the sum over all profiles, whatever their sizes; stored
// sizes grow more slowly than samples do. Busy hosts and hours have more samples and so count more.
//
// By host: the weights of a host's profiles are scaled so that its samples have the same weighted
// sum as those of each other host. By traffic: so that these sums are in proportion to given
// numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/fetch/candidate_filter.h"
#include "pgo/profile/weight.h"

namespace pgo {

enum class WeightBy : uint8_t { kSample, kHost, kTraffic };

struct WeightedProfile {
  std::string host;
  double total = 0;          // what it counts, of one sample type
  uint64_t represented = 1;  // profiles of its stratum, at least `chosen`
  uint64_t chosen = 1;       // of these, chosen and usable
};

// In the order of `profiles`, with a mean of 1 and a denominator in common. Where a million is too
// small a number for the exact fractions, the numerators are rounded, to 1 at least. Errors: kUsage
// for profiles without a host (not by sample), and for a host without traffic. O(n log n).
Result<std::vector<Weight>> fleet_weights(const std::vector<WeightedProfile>& profiles, WeightBy by,
                                          const std::vector<HostTraffic>& traffic);

}  // namespace pgo
