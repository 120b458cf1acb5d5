// What the profiles that were fetched say together: weights, builds, outliers, hosts, quality; and
// sentences about what they lack.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/fetch/fetch.h"

namespace pgo {

// What a profile counts in the bundle.
double weighted_total(const FetchedProfile& profile);

// Sets the weight of each profile of `result`. Errors: those of fleet_weights().
Result<void> set_weights(WeightBy by, const std::vector<HostTraffic>& traffic, FetchResult& result);

// By main binary; the largest share first. Small ones that ended hours before a larger one did
// (thresholds::kOldBuildAge) are left out if `old_builds` says so.
std::vector<ProgramBuild> find_program_builds(const std::vector<FetchedProfile>& profiles,
                                              OldBuildAction old_builds);

// Sets `peers` of each profile.
void compare_profiles(FetchResult& result);

// Sets all figures of the profiles that are left, and the shares of builds.
void find_figures(FetchResult& result);

// A sentence for each limit that is not kept.
std::vector<std::string> find_failed_limits(const FetchLimits& limits, const FetchResult& result);

// Warns of profiles that are missing, of outliers, and of strata without any profile.
void warn_of_gaps(FetchResult& result);

// "12 outside of the window, 3 with other labels".
std::string describe_not_asked(const std::map<NotAsked, uint64_t>& counts);
// "overlaps by 31.0 % with the median of 23 others, where 92.0 % are expected; ...".
std::string describe_outlier(const PeerComparison& peers, const LeafShares& leaves);
// "no-samples": in reports.
std::string_view exclusion_name(Exclusion why);
// How many profiles were left out for each reason; the most frequent one first.
std::vector<std::pair<Exclusion, uint64_t>> count_exclusions(const FetchResult& result);
// "3 of 100 profiles are missing (2 damaged, 1 no-profile); the first: ...".
std::string describe_missing(const FetchResult& result);

}  // namespace pgo
