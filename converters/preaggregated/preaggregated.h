// BOLT's pre-aggregated text: the counts of one binary as `perf2bolt -pa` reads them, so that BOLT
// needs neither the recording nor perf. For the same recording perf2bolt's output is then the same
// to the byte.
//
// The layout (LLVM 22), one record per line, hexadecimal addresses without 0x, decimal counts:
//
//   T <branch> <first> <last> <count>     a branch to <first>, then straight on to <last>
//   B <from> <to> <count> <mispredicts>   a branch; what ran after it is not known
//   R <branch> <first> <last> <count>     as T; the branch is a return (0: one outside the binary)
//   F|f|r <first> <last> <count>          straight-line code whose branch is not known: entered
//                                         from inside, from outside, by a return from outside
//   S <address> <count>                   a PC sample, read by `perf2bolt -pa -ba` only
//   E <name>                              the event's name
//
// Addresses are virtual addresses as the ELF file states them, for position-independent files too
// (whose first segment may begin elsewhere than at 0). `X:0` is an address outside the binary, and
// so is 0. An address may be preceded by "<build ID in hexadecimal>:", which perf2bolt ignores.
// T appeared in LLVM 21; a <last> of ffffffffffffffff makes it a B. What is not written here: R, F,
// f, r (T says more), S and E.
//
// T has no field for mispredictions before LLVM 23. They are exact all the same: perf2bolt adds up
// the B records of a branch and the T records of it, so `B <from> <to> 0 <mispredicts>` adds
// mispredictions alone.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// Writes the traces that BOLT would see (TraceReading kBoth and kBolt) and the mispredictions of
// their branches. `counts` is normalized; the text depends on it alone. O(traces).
// Error: kEmpty when there is no such trace.
Result<std::string> write_preaggregated(const BinaryCounts& counts);

struct PreaggregatedProfile {
  BinaryCounts counts;              // normalized; the id is that of "<build ID>:" when given
  std::vector<std::string> events;  // sorted
  uint64_t records = 0;             // lines
  // Count of the F, f and r records. They are traces with an unknown `from` in `counts`, though
  // nothing says that their branch came from outside.
  uint64_t loose_fall_throughs = 0;
  uint64_t outside_samples = 0;  // count of the S records whose address is outside the binary
};

// Does the text begin like one? (The first line has the fields of its letter.)
bool is_preaggregated(Bytes bytes);

// Reads such a text. `name` is for messages. Traces with both ends outside the binary are left out,
// as are counts of 0; PC samples outside the binary are only counted. Errors (kInput) name the
// line. Memory: 40 bytes a record.
Result<PreaggregatedProfile> parse_preaggregated(Bytes bytes, const std::string& name);

}  // namespace pgo
