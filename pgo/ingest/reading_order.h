// ReadingOrder: which inputs are read side by side, and which by all threads together.
//
// Many small recordings are quickest with one thread each. A recording much larger than those read
// beside it would keep one thread busy while the others wait; it is read alone, by all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pgo/source/input_files.h"

namespace pgo {

// Inputs that are read at the same time.
struct ReadingStep {
  std::vector<size_t> inputs;  // at most as many as there are threads
  unsigned jobs_each = 1;      // threads for each of them
};

// The steps in which to read inputs of these sizes (in bytes) on `jobs` threads: the largest first,
// equal ones in their order, so that neighbours are alike. The order of inputs over all steps does
// not depend on `jobs`.
std::vector<ReadingStep> plan_reading(const std::vector<uint64_t>& sizes, unsigned jobs);

// In bytes; 0 for a pipe.
std::vector<uint64_t> sizes_of(const std::vector<InputFile>& files);

}  // namespace pgo
