#include "pgo/verdict/call_growth.h"

#include <cmath>

#include "pgo/profile/thresholds.h"

namespace pgo {

std::optional<CallGrowth> split_growth(const CalledFunction& function, double growth,
                                       double cost_growth) {
  std::array<double, 2> rates{};
  for (size_t side = 0; side < 2; side++) {
    const SampledCalls& calls = function.calls[side];
    if (calls.counted < thresholds::kMinCountedCalls || function.cycles[side] <= 0)
      return std::nullopt;
    rates[side] = calls.estimated / function.cycles[side];
  }
  CallGrowth split;
  split.calls = rates[1] / rates[0] * cost_growth;
  split.cost_per_call = growth / split.calls;
  auto is_ratio = [](double value) { return std::isfinite(value) && value > 0; };
  if (!is_ratio(split.calls) || !is_ratio(split.cost_per_call)) return std::nullopt;
  return split;
}

}  // namespace pgo
