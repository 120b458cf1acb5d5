#include "pgo/capture/overhead_budget.h"

#include <algorithm>
#include <cmath>

namespace pgo {

// What was saved up in quiet times pays for two recordings at most.
void OverheadBudget::earn(double service_cpu) {
  constexpr double kMostSaved = 2;
  service_cpu_ += service_cpu;
  balance_ += share_ * service_cpu;
  if (expected_ > 0) balance_ = std::min(balance_, kMostSaved * expected_);
}

void OverheadBudget::spend(double cost) {
  spent_ += cost;
  balance_ -= cost;
  expected_ = cost;
}

uint64_t affordable_clock_period(uint64_t usual, double share) {
  constexpr double kNanoseconds = 1e9;
  const double least = kClockSampleCost / share * kNanoseconds;
  const double times = std::ceil(least / static_cast<double>(usual));
  return usual * static_cast<uint64_t>(std::clamp(times, 1.0, 1e6));
}

}  // namespace pgo
