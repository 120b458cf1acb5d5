// What verify_release() would make of a simulated fleet: its verdict without files in between.
#pragma once

#include "pgo/verdict/release_verdict.h"
#include "tests/data/simulated_fleet.h"

namespace pgo {

// Error: that of the comparison.
Result<VerifyResult> judge_fleet(const verify::Fleet& fleet, verify::Measure measure,
                                 const Limits& limits);

}  // namespace pgo
