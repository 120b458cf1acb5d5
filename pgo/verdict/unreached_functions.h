// UnreachedFunctions: hot functions of a release in which most counts of its profile do not match
// the build, so that the compiler did not optimize them by the profile.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pgo/diff/diff.h"
#include "pgo/match/match.h"

namespace pgo {

struct UnreachedFunction {
  size_t row = 0;        // an index of the comparison
  double share = 0;      // of the cost after
  double unmatched = 0;  // the part of its counts in the profile
  MatchOutcome reason = MatchOutcome::kNoLine;
};

// `binary`: the file name of the build; rows of others do not count. A function is hot with at
// least `share` of the cost after; unreached if less than half of its counts match. The hottest
// first. O((rows + functions) log functions).
std::vector<UnreachedFunction> find_unreached(const DiffResult& comparison,
                                              const ProfileMatch& match, const std::string& binary,
                                              double share);

}  // namespace pgo
