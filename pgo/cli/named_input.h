// Inputs that say where samples were by function and line alone: added up, and then, when there is
// nothing better, looked up in the binaries and made counts of code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/cli/binary_set.h"
#include "pgo/cli/plain_samples.h"
#include "pgo/elf/named_stacks.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_merger.h"
#include "pgo/symbolize/named_places.h"

namespace pgo {

struct NamedInput {
  StackMerger stacks;
  AddressProfile counted;  // what NamedStacks::counted add up to
  // Of inputs in which no function has a line: paths.
  std::vector<std::string> without_lines;

  // `path` is for messages. The order of inputs does not matter.
  Result<void> add(NamedStacks named, const std::string& path);
  // Because others have addresses.
  void leave_out();
};

// Fills in the traces of `profile` from samples that `named` has, and accounts for them. Nothing
// when there are none. Errors: kEmpty when none is found in the binaries; kInput when there are
// only functions, without lines, and WithoutLine::kLeaveOut.
Result<std::optional<PlainSamples>> infer_from_named_samples(NamedInput named,
                                                             AddressProfile& profile,
                                                             const BinarySet& binaries,
                                                             WithoutLine without_line,
                                                             unsigned jobs);

}  // namespace pgo
