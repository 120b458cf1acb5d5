// Writes AddressProfiles on the wire (address_profile.proto).
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// The message, not compressed. `profile` is normalized: then equal profiles give equal bytes.
// Diagnostics are not written.
std::string write_address_message(const AddressProfile& profile);

// The file: the message compressed by zstd, whose versions may compress differently. Errors:
// kUnsupported when the message has more bytes, binaries or events than readers take; kInternal: no
// memory.
Result<std::string> write_address_profile(const AddressProfile& profile);

}  // namespace pgo
