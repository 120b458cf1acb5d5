// Reads AddressProfiles from the wire: the one format of our own, because no public one holds
// branch records and PC samples of several builds. address_profile.proto documents it field by
// field.
//
// The reader is ours for the sake of speed: a fleet's profile is millions of small numbers in a few
// columns. What is allocated is bounded twice: by the message (a call of three bytes becomes one of
// 32; the columns are read where they are), and the message by the file, because kilobytes of zstd
// can stand for gigabytes.
//
// A profile comes back as it was written, but for its diagnostics: those are about inputs that were
// read, and were said when they were. If it has no traces, events that do not say whether they have
// branch records have none.
#pragma once

#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// How large a message may be: three to four times what a million traces take for each of ten large
// binaries.
inline constexpr uint64_t kAddressMessageLimit = uint64_t{1} << 28;
// How large a message a compressed file may hold: 1 MB, or 1000 times its own size. What was
// recorded is less than three times its file.
constexpr uint64_t max_plausible_message_size(uint64_t file_size) {
  uint64_t inflated = 1000 * file_size;
  return inflated < uint64_t{1} << 20 ? uint64_t{1} << 20 : inflated;
}
// Binaries, and events.
inline constexpr size_t kAddressListLimit = 1 << 16;
// Bytes of rows for each byte of a message, at most.
inline constexpr size_t kMaxRowBytesPerByte = 12;

// Does a file, compressed by zstd or not, begin like an AddressProfile? O(1).
bool is_address_profile(Bytes file);

// `name` is for messages. The profile is normalized and keeps its invariants. Errors: kInput names
// the binary and the table that are damaged; more than `limit` bytes of message; kUnsupported for a
// newer version. PC samples are pending, whatever the version. Samples that were dropped for
// reasons that this version does not know are left out, with a warning. O(bytes) when rows are
// sorted.
Result<AddressProfile> read_address_profile(Bytes file, const std::string& name,
                                            uint64_t limit = kAddressMessageLimit);

}  // namespace pgo
