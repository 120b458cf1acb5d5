// A simulated fleet that serves two kinds of requests, more of one kind after the release: nothing
// else changed. Standardization must not take that for a change of the cost.
#pragma once

#include <array>
#include <cstdint>

#include "pgo/diff/standardized_rows.h"
#include "pgo/verify/member_design.h"
#include "tests/data/simulated_fleet.h"

namespace pgo {

// Of each side, a member of each host and kind of request. Requests of "checkout" cost four times
// as much as those of "search", mostly in other functions; they are a fifth of all requests before,
// and two fifths after.
struct ChangedMix {
  Rows rows;  // members have their units
  std::array<SideStrata, 2> strata;
};

ChangedMix simulate_changed_mix(const verify::FleetOptions& options, uint64_t seed);

// Both sides as they would be compared without the label.
verify::Fleet without_kinds(const ChangedMix& mix);

// Both sides as `pgo verify --standardize` compares them, per unit of work or by shares.
Result<verify::Fleet> standardized_fleet(const ChangedMix& mix, verify::Measure measure);

}  // namespace pgo
