// Why a conversion came out empty, or nearly so: the stage of the funnel that emptied it, and the
// likely cause.
#pragma once

#include <optional>

#include "pgo/cli/binary_set.h"
#include "pgo/cli/input_profile.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// An error when nothing in `profile` can be written, else nothing.
std::optional<Error> explain_if_empty(const AddressProfile& profile, const BinarySet& binaries,
                                      const RecordedImages& images);

// A warning when less than a tenth of what was recorded is used, else nothing.
std::optional<std::string> explain_if_little(const AddressProfile& profile,
                                             const BinarySet& binaries,
                                             const RecordedImages& images);

// Why an input without a trace gave none, as half a sentence.
std::string explain_unused(const AddressProfile& profile);

}  // namespace pgo
