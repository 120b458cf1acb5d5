// GrownFunctions: the rows of a comparison that significantly grew by more than a limit.
//
// Each row with a share of at least Limits::function_share, of both sides by their samples, is
// tested: did it grow by more than Limits::function_growth? In shares, rows above 1 / (1 + growth)
// are not: they could not. Holm's procedure (1979) keeps the probability of one or more false
// findings below kFunctionError, however the rows depend on each other.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "pgo/diff/diff.h"
#include "pgo/verdict/call_growth.h"
#include "pgo/verdict/limits.h"

namespace pgo {

struct GrownFunction {
  size_t row = 0;                        // an index
  double p = 1;                          // adjusted by Holm's procedure for the number of tests
  std::optional<CallGrowth> calls = {};  // where both sides have branch records
};

struct FunctionVerdict {
  std::vector<GrownFunction> grown;  // the largest difference first
  // New rows whose cost comes from judged rows that are gone from the same source file: code that
  // was renamed or split. They do not count as grown.
  std::vector<size_t> moved;
  // Functions whose own cost grew, but not their cost with what they call: these were inlined into
  // them, or their lines are counted differently. And those of a body that did not grow, although
  // costs moved within it (mixed_bodies.h). They do not count as grown, and are not tested.
  std::vector<size_t> shifted;
  // Functions whose shares grew like those of most other code, which shows nothing
  // (share_growth.h). They do not count as grown. The largest difference first.
  std::vector<size_t> like_others;
  double growth_of_others = 1;  // of others, where it explains the growth of the first of these
  size_t tested = 0;
  // The part of all cost that is in rows which did not grow by more than the limit, each with 95 %
  // confidence.
  double known = 0;
  // The part of each side's cost in code without function names: a stripped program, or the kernel
  // if only one side has it. Such rows are not tested.
  std::array<double, 2> nameless{};
  // The part of that in binaries that address profiles were not converted for.
  std::array<double, 2> other_binaries{};
};

// `growth`: accepted of functions that have a limit of their own, where it is above that of all.
FunctionVerdict judge_functions(const DiffResult& result, const Limits& limits,
                                const std::map<RowKey, double>& growth = {});

}  // namespace pgo
