// Symbolized samples: inputs that name functions and lines instead of addresses. They are added up
// and, when there is nothing better, looked up in the binaries and made counts of code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/binary/binary_set.h"
#include "pgo/elf/symbolized_stacks.h"
#include "pgo/ingest/pc_samples.h"
#include "pgo/profile/address_merger.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_merger.h"
#include "pgo/symbolize/symbol_lookup.h"

namespace pgo {

struct SymbolizedInput {
  StackMerger stacks;
  AddressMerger counts;    // of SymbolizedStacks::counted
  AddressProfile counted;  // their sum, from add_up() on
  // Of inputs in which no function has a line: paths.
  std::vector<std::string> without_lines;

  // `path` is for messages. The order of inputs does not matter.
  Result<void> add(SymbolizedStacks samples, const std::string& path, MergeFactor factor = {});
  // After the last input.
  void add_up();
  // Because others have addresses; after add_up().
  void leave_out();
};

// Fills in the traces of `profile` from the samples of `input`, and accounts for them. Nothing
// when there are none. Errors: kEmpty when none is found in the binaries; kInput when there are
// only functions, without lines, and WithoutLine::kLeaveOut.
Result<std::optional<Inference>> infer_from_symbolized_samples(SymbolizedInput input,
                                                               AddressProfile& profile,
                                                               const BinarySet& binaries,
                                                               WithoutLine without_line,
                                                               unsigned jobs);

// The hottest places that were not found in the binaries, a line each; nothing when all were found.
std::optional<std::string> describe_unmatched(const SymbolizedSamples& samples);

}  // namespace pgo
