// SampledCalls: how often a function was called, by branch stacks with cycle counts
// (converters/perf_data/stacks/branch_windows.h).
#pragma once

#include <cstdint>

namespace pgo {

struct SampledCalls {
  uint64_t counted = 0;  // calls in branch stacks: how much is known
  double estimated = 0;  // in all of the weight of samples that have such branch stacks

  void add(const SampledCalls& more) { counted += more.counted, estimated += more.estimated; }
};

}  // namespace pgo
