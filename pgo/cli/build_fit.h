// BuildFit: whether samples fit the code of the binary that they were matched with, where no build
// id says that it is the one that ran (a recording that was cut short has lost them).
//
// A processor is interrupted between two instructions, so in the build that ran each sample is
// where one starts: in functions of twelve programs not one in 1.3 million was not. Of thirteen
// other builds of one program 64 to 81 % were not. Branch records at no instruction are dropped by
// their readers; those of linkage tables are among them: .2 to 10 % of the build that ran, 41 to 65
// % of others.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "pgo/cli/binary_set.h"
#include "pgo/cli/input_profile.h"
#include "pgo/infer/function_symbols.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// The kind of its warnings.
inline constexpr const char* kOtherBuildByCode = "other-build-by-code";

class BuildFit {
 public:
  explicit BuildFit(const BinarySet& binaries) : binaries_(binaries) {}

  // Of what the input `path` gave, which named `images`: takes out the plain samples that are of
  // another build, which are accounted for as that; warns, also where branch records seem to be.
  // Looks at no binary whose build id the input names. O(addresses), and decoding what was not
  // decoded yet of the functions they are in. May be called by several threads.
  void leave_out_other_builds(AddressProfile& profile, const std::string& path,
                              const RecordedImages& images);

 private:
  double share_off_instructions(const BinaryCounts& counts);
  const infer::FunctionSymbols& functions_of(const Binary& binary);

  const BinarySet& binaries_;
  std::mutex mutex_;
  std::map<const Binary*, infer::FunctionSymbols> functions_;  // of those that were looked at
};

}  // namespace pgo
