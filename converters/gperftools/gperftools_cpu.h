// CPU profiles of gperftools (google-pprof's old form): numbers of the machine's word size, then
// text.
//
//   header    0, 3 (words that follow), 0 (version), sampling period in microseconds, 0
//   record    count, number of addresses, addresses (leaf first)
//   trailer   0, 1, 0: a record of one address, 0, that counts 0 times
//   text      /proc/self/maps at the end of the run, and lines NAME=VALUE, which say nothing here
//
// Words have 4 or 8 bytes of either order; the header tells which. The first address of a record is
// where the sample was, the others are return addresses: 1 is taken off them, so that they lie in
// the call (as google/pprof does, and as its profiles have them). Two more of its rules hold, so
// that both read the same: a caller that nearly all samples share is the signal handler's and goes,
// and so does a first caller that repeats the leaf. There are no build IDs.
#pragma once

#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

bool is_gperftools_cpu(Bytes bytes);

// The profile counts samples/count and cpu/nanoseconds and is not normalized. A missing trailer or
// map, and what tells that the maps are cut short, gets a warning. Errors (kInput) name the byte.
// O(n log n) for n bytes.
Result<StackProfile> parse_gperftools_cpu(Bytes bytes, const std::string& name,
                                          Diagnostics& diagnostics);

}  // namespace pgo
