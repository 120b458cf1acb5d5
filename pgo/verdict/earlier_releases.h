// Several earlier releases as the baseline: how much does the cost differ between releases that
// were all accepted? A release that differs no more than that is no regression.
//
// The logarithms of the costs of n releases have the standard deviation s. If the next release is
// another one of these, then its logarithm exceeds their mean by more than
//
//     t(97.5 %, n - 1 degrees of freedom) * s * sqrt(1 + 1 / n)
//
// in one of forty cases: the upper end of the prediction interval of a normal distribution. s
// includes what hosts, hours and samples contribute.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pgo/diff/diff.h"

namespace pgo {

struct EarlierRelease {
  std::vector<std::string> inputs;  // as those of a side
  // Of work, for costs per unit: a total, or a number for each member.
  double units = 0;
  std::vector<MemberUnits> member_units = {};
};

// Two releases leave one degree of freedom, and a limit of more than ten times their difference.
inline constexpr size_t kMinEarlierReleases = 3;

struct ReleaseSpread {
  size_t releases = 0;
  double deviation = 0;          // s; 0 for shares
  std::optional<double> growth;  // accepted of the cost of a unit of work; none for shares
  // Each release has one program, so that all of these are one, whatever they are called.
  bool one_program = true;
  // Accepted of each function that at least kMinEarlierReleases releases have.
  std::map<RowKey, double> of_functions;
};

// The accepted growth above the geometric mean of these costs, which are at least two and above 0.
double accepted_growth(std::span<const double> costs);

// Compares each release with the after side of `compared`, whose before side is not used. Reads the
// after side once for each. Errors: kUsage for too few releases; those of diff().
Result<ReleaseSpread> measure_spread(const DiffRequest& compared,
                                     const std::vector<EarlierRelease>& releases);

// Makes all releases together the before side.
void compare_with_all(const std::vector<EarlierRelease>& releases, DiffRequest& compared);

}  // namespace pgo
