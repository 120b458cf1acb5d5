// CurrentBuildMatch: how much of a compile profile matches the program and its libraries as they
// are built now. pgo refresh and pgo status judge by it, both alike.
//
//   PGO_TRY(CurrentBuildMatch matched, match_current_builds({.builds = {"build/queryd"}, ...}));
//   if (!matched.is_enough()) ... matched.describe("the pinned profile")
//
// A profile does not say which binary its functions are of. So each of several builds is judged by
// the functions that it has, and all together by all of them: a function that no build has matches
// nothing. With one build alone, functions that it does not have are those of the libraries, where
// the profile has counts of libraries; they are left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"

namespace pgo {

struct CurrentBuildRequest {
  std::vector<std::string> builds;    // paths; one at least
  std::string profile;                // path
  std::string shown_as;               // what messages call the profile
  bool has_libraries = false;         // the profile has counts of libraries
  std::optional<double> min_match{};  // percent; none: what the kind of profile lets expect
  unsigned jobs = 0;
};

struct BuildMatch {
  std::string build;
  std::optional<double> match_rate;  // 0 to 1; none: the profile has nothing of this build
};

struct CurrentBuildMatch {
  std::vector<BuildMatch> builds;
  double match_rate = 0;    // the lowest: of a build, or of all together
  std::string lowest;       // the build that has it; empty: all together
  double min_match = 0;     // percent
  Diagnostics diagnostics;  // of match()

  bool is_enough() const { return 100 * match_rate >= min_match; }
  // "only 13.8 % of what it has of build/libquery.so match"; `profile` is "it", say.
  std::string describe(const std::string& profile) const;
};

// "build/queryd is not there, which current-build names; build it first"; empty: all are there.
std::string describe_absent_build(const std::vector<std::string>& builds);

// Errors: those of match(); kEmpty when the profile has nothing of any build.
Result<CurrentBuildMatch> match_current_builds(const CurrentBuildRequest& request);

}  // namespace pgo
