// Address profiles as inputs of conversions: their counts, as counts of the binaries that were
// named.
#pragma once

#include <string>
#include <vector>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/binary/binary_set.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

struct AddressInput {
  AddressProfile profile;
  std::vector<perf_data::OtherFile> others;  // the other binaries that were left out
};

// Gives the counts of `profile`, which was read from `path`, to the binaries with their build IDs;
// those of other builds are left out and accounted for.
// Errors (kUsage): options that choose samples, which a profile by address no longer has.
Result<AddressInput> count_for_binaries(AddressProfile profile, const std::string& path,
                                        const BinarySet& binaries,
                                        const perf_data::ReadOptions& options);

}  // namespace pgo
