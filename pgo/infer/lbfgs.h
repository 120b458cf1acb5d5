// L-BFGS: minimizes a smooth function of many variables from its gradients, remembering the last
// few steps instead of a matrix (Nocedal 1980; two-loop recursion). Steps are halved until they
// descend enough (Armijo). Sums are in a fixed order, and nothing depends on time: the same on any
// machine.
#pragma once

#include <functional>
#include <vector>

namespace pgo::infer {

// The value at `x`; `gradient` has the same size.
using Objective =
    std::function<double(const std::vector<double>& x, std::vector<double>& gradient)>;

struct LbfgsOptions {
  unsigned iterations = 150;
  size_t history = 15;
};

// Leaves the best point found in `x`, and returns its value. Stops early where nothing descends.
double minimize(std::vector<double>& x, const Objective& objective, const LbfgsOptions& options);

}  // namespace pgo::infer
