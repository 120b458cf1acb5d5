// What an address profile holds: which builds it is of, how much of each, of which events, and what
// became of the samples that were read for it.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/build_shares.h"

namespace pgo {

struct AddressContents {
  AddressProfile summary;  // events, accounting and diagnostics; no counts
  std::vector<BuildShare> builds;
};

// `path` is for messages. Error: kInput for a damaged profile; kUnsupported for a newer version.
Result<AddressContents> read_address_contents(Bytes bytes, const std::string& path);

}  // namespace pgo
