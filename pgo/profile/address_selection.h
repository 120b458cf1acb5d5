// Choosing binaries of an AddressProfile. What became of samples and branch records is known of
// all binaries together only; what is left out takes its share with it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pgo/profile/address_profile.h"

namespace pgo {

// Why counts of a binary do not count; nothing when they do.
using WhyLeftOut = std::function<std::optional<Dropped>(const BinaryCounts& counts)>;

// A binary that was removed, and the samples that went with it.
struct LeftOutBinary {
  std::string path_hint;
  BuildId id;
  Dropped reason = Dropped::kOtherBinary;
  uint64_t samples = 0;
};

// Removes binaries for which there is a reason, and moves what was used of them to this reason: of
// branch records and of samples with branch stacks the share that their traces have, of PC samples
// their own number; where counts were scaled, the share that they have, to the nearest number,
// halves up. So the sums hold, and all of it moves when no binary is left. Returns the binaries
// that were removed.
std::vector<LeftOutBinary> leave_out(AddressProfile& profile, const WhyLeftOut& why);

// `part` / `whole` of `count`, to the nearest number, at most the largest; 0 of nothing.
uint64_t share_of(uint64_t count, uint64_t part, uint64_t whole);

// The sum of what a binary's traces count, as LLVM's tools read branch stacks.
uint64_t sum_of_traces(const BinaryCounts& counts);

}  // namespace pgo
