// Estimates a ratio from pairs of measurements.
#pragma once

#include <span>
#include <utility>

#include "pgo/verify/ratio_estimate.h"

namespace pgo {

// The rate of wrong verdicts for programs of equal cost, over all looks.
inline constexpr double kRunsError = .05;

// Before and after, both above 0.
using FigurePair = std::pair<double, double>;

// Of the logarithms of the ratios. From ten pairs on, the lowest and the highest fifth of them are
// trimmed, because other work on the machine makes some runs much slower.
struct PairEstimate {
  double ratio = 1;                // after / before: the geometric mean of the pairs that are kept
  verify::RatioInterval interval;  // at the level 1 - `error`, by Student's t
  double spread = 0;  // standard deviation of the logarithms that one pair adds to the mean
};

// Needs at least two pairs.
PairEstimate estimate_ratio(std::span<const FigurePair> pairs, double error);

}  // namespace pgo
