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

struct PairEstimate {
  double ratio = 1;  // after / before: the geometric mean over the pairs
  // At the level 1 - `error`, by Student's t on the logarithms.
  verify::RatioInterval interval;
  double spread = 0;  // standard deviation of the logarithms of the ratios
};

// Needs at least two pairs.
PairEstimate estimate_ratio(std::span<const FigurePair> pairs, double error);

}  // namespace pgo
