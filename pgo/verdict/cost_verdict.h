// What the ratio of two costs says of limits.
#pragma once

#include <optional>

#include "pgo/verdict/limits.h"
#include "pgo/verify/ratio_estimate.h"

namespace pgo {

// kFail where the whole interval is above the accepted growth; kPass where all of it is below what
// is asked: the expected drop, or else the accepted growth.
Outcome judge_cost(const verify::RatioInterval& interval, const Limits& limits);

// How many times the data there is would decide, if the ratio is what it seems: an interval is
// narrower by the square root of that. Nothing where it would not: the ratio is between what is
// asked and what fails.
std::optional<double> data_to_decide(double ratio, const verify::RatioInterval& interval,
                                     const Limits& limits);

}  // namespace pgo
