// Thresholds of `pgo fetch`, like those of thresholds.h: at which a judgement about profiles
// changes, and where each number comes from.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pgo::thresholds {

// A fetched profile is reported as an outlier if its distance from the others, less what chance
// explains, is above theirs by this many of their standard deviations, and by this much at least.
// Among hosts that differ by chance only, less than one profile in a thousand is then reported
// (tests/bench/outlier_simulation.cc, docs/measurements/fetch.md).
inline constexpr double kOutlierDeviations = 6, kMinOutlierDistance = .15;
// Deviations of few profiles are known badly, so that it takes more of them: with this many others
// twice as many.
inline constexpr double kFewOutlierPeers = 2;
// Distances of hosts that do not differ spread at least like this.
inline constexpr double kMinDistanceDeviation = .02;
// With fewer others, no profile is judged: of three that differ, any one could be the outlier.
inline constexpr size_t kMinOutlierPeers = 4;

// How long after it begins to be recorded a profile may be uploaded, in nanoseconds. Where a
// listing tells only when a profile was stored, those of the window are looked for up to this long
// after it: recordings are minutes long, and collectors upload them hourly at the latest.
inline constexpr int64_t kUploadDelay = int64_t{2} * 3600 * 1'000'000'000;

// Builds with less than this share of the samples are left out of what is fetched when a build with
// more of them was recorded longer, by this many nanoseconds: the last hosts of a release that is
// gone. A canary of a new release may be as small, but it is recorded up to the last hours.
inline constexpr double kSmallBuildShare = .02;
inline constexpr int64_t kOldBuildAge = int64_t{6} * 3600 * 1'000'000'000;
// From this share of the samples on, a source is reported that keeps no addresses or build IDs:
// less are of code without a file, such as that of just-in-time compilers.
inline constexpr double kLostShare = .01;
// A stratum with fewer samples is reported as thin: a function with 5 % of its time is known to a
// fifth of that (the square root of 5 % of 500 is 5).
inline constexpr uint64_t kThinStratumSamples = 500;

}  // namespace pgo::thresholds
