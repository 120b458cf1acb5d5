// Judges the ratio of two costs by the limits.
#pragma once

#include <optional>

#include "pgo/verdict/limits.h"
#include "pgo/verify/ratio_estimate.h"

namespace pgo {

// kFail if the whole interval is above the accepted growth. kPass if the whole interval is below
// the pass limit: the expected drop if there is one, otherwise the accepted growth.
Outcome judge_cost(const verify::RatioInterval& interval, const Limits& limits);

// How many times as much data would decide, if the estimated ratio is right: the width of an
// interval falls with the square root of the amount of data. Nothing if no amount of data would
// decide, because the ratio is between the limits for pass and fail.
std::optional<double> data_to_decide(double ratio, const verify::RatioInterval& interval,
                                     const Limits& limits);

}  // namespace pgo
