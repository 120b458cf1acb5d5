// Do single steps work on this machine, and what does one cost? Tried in a process of its own, for
// a millisecond or so.
#pragma once

#include <cstdint>
#include <string>

#include "pgo/base/result.h"

namespace pgo {

struct StepCost {
  uint64_t ticks_per_ms = 0;  // of the time stamp counter
  uint64_t step_ticks = 0;    // the median
};

// Error: kUnsupported: another processor, a kernel that is too old, or one that does not step.
Result<StepCost> try_steps();

// May the kernel of this release ("6.1.0-18-amd64") be stepped on? Error: kUnsupported.
Result<void> check_kernel_release(const std::string& release);

}  // namespace pgo
