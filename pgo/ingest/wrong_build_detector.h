// WrongBuildDetector: whether samples fit the code of the binary that they were matched with, where
// no build ID says that it is the one that ran (a recording that was cut short has lost them).
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
#include <vector>

#include "pgo/binary/binary_set.h"
#include "pgo/code/function_symbols.h"
#include "pgo/ingest/recorded_images.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

class WrongBuildDetector {
 public:
  explicit WrongBuildDetector(const BinarySet& binaries) : binaries_(binaries) {}

  // Of what the input `path` gave, which named `images`: takes out the PC samples that are of
  // another build, which are accounted for as that; warns, also where branch records seem to be.
  // Looks at no binary whose build ID the input names. O(addresses), and decoding what was not
  // decoded yet of the functions they are in. May be called by several threads.
  // Error (kInternal): counts of none of the binaries.
  // Answers with what it warned of; empty: nothing.
  Result<std::vector<std::string>> leave_out_other_builds(AddressProfile& profile,
                                                          const std::string& path,
                                                          const RecordedImages& images);

 private:
  Result<double> share_off_instructions(const BinaryCounts& counts);
  const FunctionSymbols& functions_of(size_t binary);

  const BinarySet& binaries_;
  std::mutex mutex_;
  // Of the binaries that were looked at, by their places in the set.
  std::map<size_t, FunctionSymbols> functions_;
};

}  // namespace pgo
