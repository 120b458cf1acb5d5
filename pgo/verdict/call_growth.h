// CallGrowth: the growth of a function, split into more calls and dearer calls.
//
//     growth of the cost of a unit of work = growth of the calls for it * growth of the cost of a
//     call
//
// All three are after / before. Calls are known for each cycle of the sampled cost; a unit of work
// with `cost_growth` times the cycles has so many times more calls. In shares, the growth is that
// of the share, and calls are those in equally many cycles (`cost_growth` is 1).
//
// For example, a function is called twice as often in a cycle, and a unit of work takes 0.9 times
// the cycles: 1.8 times the calls. If its cost for a unit of work is 2.7 times that before, then a
// call costs 1.5 times as much.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "pgo/diff/sampled_calls.h"

namespace pgo {

struct CallGrowth {
  double calls = 1;          // for a unit of work; in shares, in equally many cycles
  double cost_per_call = 1;  // what is left of the growth
};

// A function's calls on each side, and the cycles in which these were called.
struct CalledFunction {
  std::array<SampledCalls, 2> calls;
  std::array<double, 2> cycles{};
};

// Nothing where a side has too few calls, and where `growth` is infinite (a new function) or 0.
std::optional<CallGrowth> split_growth(const CalledFunction& function, double growth,
                                       double cost_growth = 1);

}  // namespace pgo
