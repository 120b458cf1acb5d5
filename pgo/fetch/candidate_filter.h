// Which of the profiles that sources list are asked for: by window, labels and host. What their
// listing does not tell is decided after the download.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/fetch/candidate.h"

namespace pgo {

// How much a host does, in any unit.
struct HostTraffic {
  std::string host;
  double traffic = 0;  // above 0
};

struct CandidateFilter {
  // Profiles without a time are kept: live hosts are recorded when they are fetched. So are those
  // that may have been recorded in the window, where only the hour is known, or when they were
  // stored (thresholds::kUploadDelay): what they say themselves decides about them.
  std::optional<TimeWindow> window = {};
  Labels labels = {};  // equal texts
  // Profiles of the first nanoseconds of a host's run of a version are left out. The run begins
  // with the first profile that is listed of this host and version, also before the window: the
  // listing has to begin that much earlier.
  int64_t skip_after_start = 0;
  // Only these many hosts: those with the most traffic, or, without `traffic`, the most bytes.
  std::optional<uint64_t> busiest = {};
  std::vector<HostTraffic> traffic = {};
};

// What no candidate has, for a message: "the services that are there: a, b and 3 more", or of
// another label in `wanted`. Empty: each of the wanted values is there, or no value of their keys.
std::string describe_values_instead(const std::vector<Candidate>& candidates, const Labels& wanted);

// Why a profile that was listed is not fetched.
enum class NotAsked : uint8_t { kWindow, kLabel, kAfterStart, kOtherHost };

struct FilteredCandidates {
  std::vector<Candidate> kept;  // sorted
  std::map<NotAsked, uint64_t> left_out;
};

// Errors: kUsage for `busiest` where no profile tells its host. O(n log n).
Result<FilteredCandidates> filter_candidates(std::vector<Candidate> candidates,
                                             const CandidateFilter& filter);

}  // namespace pgo
