// Looks: after how many pairs the pairs are evaluated, and the error that each evaluation may have.
#pragma once

#include <cstddef>
#include <vector>

namespace pgo {

// Pairs before the first look: fewer pairs do not give a useful estimate of their own variance.
inline constexpr size_t kFirstLook = 7;
inline constexpr size_t kLooks = 5;

struct Look {
  size_t pairs = 0;
  double error = 0;  // nominal, two-sided: the level of the interval is 1 - `error`
};

// Looks after each fifth of `max_pairs`, and none before kFirstLook pairs, so that small numbers of
// pairs have fewer looks. The errors are those of spend_error(): the rate of wrong verdicts for
// programs of equal cost is kRunsError over all looks. Needs max_pairs >= kFirstLook.
std::vector<Look> plan_looks(size_t max_pairs);

}  // namespace pgo
