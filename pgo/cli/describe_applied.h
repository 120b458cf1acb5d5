// Was it applied? How much of a profile has a place in a binary, what became of the rest, and what
// the compiler noted about it.
#pragma once

#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/cli/description.h"

namespace pgo {

struct AppliedOptions {
  std::string binary;
  std::string profile;      // empty: the one that the binary's note names, if it can be found
  std::string shown_as;     // what to call the profile; empty: by its path
  bool of_several = false;  // the profile has functions of other binaries, which do not count
  DescribeOptions describe;
};

struct AppliedAnswer {
  Description description;
  double share = 0;        // of the profile's weight that has a place, in [0, 1]
  double usual_share = 0;  // in percent; when less has a place, the profile may be of other code
  // One line for who wanted more; empty when nothing is lost.
  std::string complaint;
  Diagnostics diagnostics;
};

// Errors: kUsage when there is no profile to be found, kInput for a binary without what it takes to
// tell, kUnsupported for a profile of another kind than LLVM's.
Result<AppliedAnswer> describe_applied(const AppliedOptions& options);

}  // namespace pgo
