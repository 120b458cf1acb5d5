// Limits: how much a release may cost, and the error rates of the verdict.
#pragma once

#include <optional>

namespace pgo {

enum class Outcome { kPass, kFail, kInconclusive };

struct Limits {
  double growth = .01;  // accepted growth of the cost of a unit of work: above it, fail
  std::optional<double> pass_growth = {};  // up to it, pass; none: as `growth`
  std::optional<double> drop = {};         // expected: the cost drops by at least this much
  double function_growth = .2;             // accepted growth of the cost of one function
  double function_share = .005;            // functions with a smaller share are not judged
};

// The verdict may be wrong for 5 % of releases that changed nothing: one half for the cost (the
// level of its interval), the other half for the functions.
inline constexpr double kVerdictLevel = .975;
inline constexpr double kShownLevel = .95;  // of the intervals that people are used to
inline constexpr double kFunctionError = .025;
// Two-sided: what is at most the upper end of its interval is so with 95 % confidence.
inline constexpr double kKnownLevel = .90;

}  // namespace pgo
