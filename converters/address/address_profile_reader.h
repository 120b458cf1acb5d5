// Reads AddressProfiles from the wire: the one format of our own, because no public one holds
// branch records and plain samples of several builds. address_profile.proto documents it field by
// field.
//
// The reader is ours for the sake of speed: a fleet's profile is millions of small numbers in a few
// columns. What is allocated is bounded by the bytes that ask for it: a call of three bytes becomes
// one of 32, beside its columns of as many, so that memory is at most 22 times the message.
//
// A profile comes back as it was written, but for its diagnostics: those are about inputs that were
// read, and were said when they were.
#pragma once

#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// How large a message may be: three to four times what a million traces take for each of ten large
// binaries.
inline constexpr uint64_t kAddressMessageLimit = uint64_t{1} << 28;

// Does a file, compressed by zstd or not, begin like an AddressProfile? O(1).
bool is_address_profile(Bytes file);

// `name` is for messages. The profile is normalized and keeps its invariants. Errors: kInput names
// the binary and the table that are damaged; more than `limit` bytes of message; kUnsupported for a
// newer version. Samples that were dropped for reasons that this version does not know are left
// out, with a warning. O(bytes) when rows are sorted.
Result<AddressProfile> read_address_profile(Bytes file, const std::string& name,
                                            uint64_t limit = kAddressMessageLimit);

}  // namespace pgo
