// Recordings of BOLTed binaries on their way to a profile of the binaries that BOLT read.
#pragma once

#include <string>
#include <vector>

#include "pgo/binary/binary_set.h"
#include "pgo/elf/bolt/translated_counts.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// The counts of `bolted` as those of `input`, and what became of them.
struct TranslatedBinary {
  BinaryCounts counts;
  MovedBinary moved;
};
// Errors: those of translate_counts().
Result<TranslatedBinary> move_counts(const BinaryCounts& counts, const Binary& bolted,
                                     const Binary& input);

struct MovedCounts {
  std::vector<BinaryCounts> counts;
  std::vector<MovedBinary> moved;
  // What of the BOLTed files' code no execution can have run straight through, in samples. What
  // stayed in `counts` has not been looked at.
  uint64_t broken_ranges = 0;
};

// For a compiler: `counted`, with the counts of each BOLTed binary moved to the binary that BOLT
// made it from, through BOLT's address translation table. A BOLTed binary with debug information of
// its own (llvm-bolt --update-debug-sections) keeps its counts when the input is not among
// `binaries` or the table is missing; one without gives an error then. One with pseudo probes keeps
// its counts, because llvm-bolt updates the probes.
Result<MovedCounts> move_counts_to_bolt_inputs(std::vector<BinaryCounts> counted,
                                               const BinarySet& binaries);

}  // namespace pgo
