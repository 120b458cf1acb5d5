// OverheadBudget: may another recording be made, when all of them together may cost at most a share
// of the service's CPU time?
//
//   OverheadBudget budget(0.01);
//   budget.earn(service_cpu);            seconds that the service used since the last time
//   if (budget.affords_recording()) { ...; budget.spend(cost); }
//
// A recording costs what pgo and perf use of the processors, and the interrupts of the samples,
// which the kernel accounts to the service: these are estimated. The service pays in advance: its
// CPU time must have earned what the last recording cost. So the cost is at most the share of the
// CPU time since the start, and one recording: the first, of which nobody knows the cost.
#pragma once

#include <cstdint>

namespace pgo {

// What the interrupt of a sample costs, in seconds: taking it, writing it, and what it evicts from
// the caches. On a virtual machine, where a timer's interrupt costs most, 14 us were measured for
// the clock (docs/measurements/capture.md). Reading branch records takes some more, which was not
// measured.
inline constexpr double kClockSampleCost = 15e-6, kBranchSampleCost = 20e-6;

class OverheadBudget {
 public:
  // `share`: 0.01 for one percent.
  explicit OverheadBudget(double share) : share_(share) {}

  void earn(double service_cpu);
  bool affords_recording() const { return balance_ >= expected_; }
  void spend(double cost);

  // Of the service's CPU time so far; 0 before there was any.
  double spent_share() const { return service_cpu_ > 0 ? spent_ / service_cpu_ : 0; }
  double spent() const { return spent_; }
  double service_cpu() const { return service_cpu_; }

 private:
  double share_;
  double balance_ = 0, expected_ = 0;
  double spent_ = 0, service_cpu_ = 0;
};

// The period of clock samples, in nanoseconds, with which they cost at most `share` of what is
// recorded while it is recorded: a multiple of `usual`.
uint64_t affordable_clock_period(uint64_t usual, double share);

}  // namespace pgo
