// Several earlier releases as the baseline: how much does the cost differ between releases that
// were all accepted? A release that differs no more than that is no regression.
//
// The logarithms of the costs of n releases have a mean and a standard deviation s. If the next
// release is another one of these, then the logarithm of its cost is above
//
//     mean + t(1 - error, n - 1 degrees of freedom) * s * sqrt(1 + 1 / n)
//
// with the probability `error`: the upper bound of a one-sided prediction interval of a normal
// distribution. s includes what hosts, hours and samples contribute.
//
// A function's bound is that of its share of the cost, times the bound of the cost. So what all
// functions have in common counts once. With three releases, the bound of one function among thirty
// would be twenty times s. So the variances of ten functions or more are moderated
// (pgo/verify/moderated_variance.h): what they have in common is known from all of them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "pgo/diff/diff.h"
#include "pgo/verdict/limits.h"

namespace pgo {

struct EarlierRelease {
  std::vector<std::string> inputs;  // as those of a side
  // Of work, for costs per unit: a total, or a number for each member.
  double units = 0;
  std::vector<MemberUnits> member_units = {};
};

// Two releases leave one degree of freedom, and a bound of more than ten times their difference.
inline constexpr size_t kMinEarlierReleases = 3;

struct ReleaseSpread {
  size_t releases = 0;
  std::vector<double> costs;  // of a unit of work, of each release; empty for shares
  double deviation = 0;       // s of `costs`
  // The shares of the cost of each function, of the releases that have it.
  std::map<RowKey, std::vector<double>> of_functions;
  // The growth that is accepted of functions that vary, above Limits::function_growth.
  std::map<RowKey, double> own_limits;

  // The before side of `comparison` is one more release.
  void add(const DiffResult& comparison);
};

// The upper bound of the cost of the next release. `costs` are at least two and above 0.
double prediction_bound(std::span<const double> costs, double error);

// Compares each release with the after side of `compared`, which is read once for each; then makes
// all of them together the before side of `compared`, with the units of work that each member had.
// Standardized sides get the mix of the release after, which is the same for all.
// Errors: kUsage for too few releases, for a file in two of them, and for standardized sides of
// which some lack a value that others have; those of diff().
Result<ReleaseSpread> measure_spread(const std::vector<EarlierRelease>& releases,
                                     DiffRequest& compared);

// The limits of a comparison with all releases together: a release fails if it certainly costs more
// than the bound, and passes if it certainly costs no more than the most expensive of the earlier
// releases. Both limits are at least Limits::growth.
Limits spread_limits(const ReleaseSpread& spread, const DiffResult& comparison, Limits limits);

// For ReleaseSpread::own_limits. All bounds together have the error kFunctionError.
std::map<RowKey, double> function_limits(const DiffResult& comparison, const Limits& limits,
                                         const ReleaseSpread& spread);

}  // namespace pgo
