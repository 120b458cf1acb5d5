// How llvm-profgen (LLVM 22) reads a recording, where that differs from ours: all that
// --compat=llvm-profgen changes between perf.data and an AddressProfile. It reads what `perf
// script` prints, and follows one load address of one binary; where it stops with an error, so does
// this.
//
// The third piece is AddressSpaces::as_llvm_profgen(), which is implemented here too.
#pragma once

#include <vector>

#include "converters/perf_data/address_space.h"
#include "converters/perf_data/recording.h"

namespace pgo::perf_data {

// It does not choose among events: it takes the samples of all, and all need branch stacks and no
// call stacks. Error: kUnsupported.
Result<std::vector<bool>> all_events_as_llvm_profgen(const Recording& recording);

// llvm-profgen classifies a recording by the text around its first branch stack: lines with nothing
// but an address before it make it believe in call stacks, and it then reads nothing at all. A
// sample whose branch stack is empty prints such a line. Error: kUnsupported. Reads all samples.
Result<void> check_layout_as_llvm_profgen(const Recording& recording, const AddressSpaces& spaces);

}  // namespace pgo::perf_data
