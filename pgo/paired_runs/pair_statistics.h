// What pairs of figures say of their ratio.
#pragma once

#include <span>
#include <utility>

#include "pgo/verify/ratio_estimate.h"

namespace pgo {

// Before and after, both above 0.
using FigurePair = std::pair<double, double>;

struct PairEstimate {
  double ratio = 1;  // after / before: the geometric mean of those of the pairs
  // 1 - `error`, by Student's t of the logarithms.
  verify::RatioInterval interval;
  double spread = 0;  // standard deviation of the logarithms
};

// Two pairs or more.
PairEstimate estimate_ratio(std::span<const FigurePair> pairs, double error);

}  // namespace pgo
