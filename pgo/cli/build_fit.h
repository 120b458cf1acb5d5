// BuildFit: whether samples fit the code of the binary that they were matched with, where no build
// id says that it is the one that ran (a recording that was cut short has lost them).
//
// A processor is interrupted between two instructions, so in the build that ran each sample is
// where one starts: in functions of twelve programs not one in 1.3 million was not. Of thirteen
// other builds of one program 64 to 81 % were not. Branch records at no instruction are dropped by
// their readers; those of linkage tables are among them: .2 to 10 % of the build that ran, 41 to 65
// % of others.
#pragma once

#include <string>

#include "pgo/cli/binary_set.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// The kind of its warnings.
inline constexpr const char* kOtherBuildByCode = "other-build-by-code";

// Of what the input `path` gave: takes out the plain samples that are of another build, which are
// accounted for as that; warns, also where branch records seem to be. Looks at nothing that a build
// id proves. O(addresses), and decoding what was not decoded yet of the functions they are in.
void leave_out_other_builds(AddressProfile& profile, const std::string& path,
                            const BinarySet& binaries);

}  // namespace pgo
