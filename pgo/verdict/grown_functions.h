// GrownFunctions: the rows of a comparison that grew by more than a limit, certainly.
//
// Rows of at least Limits::function_share of both sides together are tested, each whether it grew
// by more than Limits::function_growth, by Holm's (1979) procedure: the chance that any of those
// that did not is called grown is kFunctionError, however the rows depend on each other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pgo/diff/diff.h"
#include "pgo/verdict/limits.h"

namespace pgo {

struct GrownFunction {
  size_t row = 0;  // an index
  double p = 1;    // Holm's, adjusted for the number of tests
};

struct FunctionVerdict {
  std::vector<GrownFunction> grown;  // the largest difference first
  // New rows that took over what rows of the same source file (or binary, where no file is known)
  // lost: renamed or split. They are not called grown.
  std::vector<size_t> moved;
  size_t tested = 0;
  // The share of the tested rows' cost that is in rows which certainly did not grow by more than
  // the limit (each at 95 %).
  double known = 0;
};

FunctionVerdict judge_functions(const DiffResult& result, const Limits& limits);

// Holm's adjusted p values, in the order of `p`. O(n log n).
std::vector<double> holm(std::span<const double> p);

}  // namespace pgo
