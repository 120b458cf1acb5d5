// Limits: what a release may cost, and how certain that has to be.
#pragma once

#include <optional>

namespace pgo {

enum class Outcome { kPass, kFail, kInconclusive };

struct Limits {
  double growth = .01;              // of the cost of a unit of work, that is accepted
  std::optional<double> drop = {};  // what is expected: at least so much less
  double function_growth = .2;      // of the cost of one function, that is accepted
  double function_share = .005;     // of smaller functions nothing is said
};

// All of it may be wrong in 5 % of releases that changed nothing: one half for the cost, by the
// level of its interval, one half for the functions.
inline constexpr double kVerdictLevel = .975;
inline constexpr double kFunctionError = .025;

}  // namespace pgo
