// From the counts of one binary to a SourceProfile: what llvm-profgen (LLVM 22) does, count for
// count. By pseudo probe where the binary has them, else by line, and then with each step done once
// for a run of instructions instead of for each one.
//
//   PGO_TRY(SourceProfile profile, build_source_profile(binary, counts, {}));
#pragma once

#include <functional>

#include "pgo/binary/binary.h"
#include "pgo/profile/address_profile.h"
#include "pgo/symbolize/llvm_profgen.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

// How lines are counted does not matter to probes.
struct BuildOptions {
  unsigned jobs = 0;         // threads; 0: all cores
  LlvmProfgenQuirks quirks;  // none: for comparisons only
  // Is told compile units done and in all, from one thread at a time; may be empty.
  std::function<void(uint64_t done, uint64_t total)> progress;
};

// By line, totals are in bytes: count times size of each instruction, inlined code included, and a
// line's count is the largest of its instructions'. By probe, totals are sums of the probes'
// counts. Functions that ran get a zero for each of their lines or probes that did not. `counts`
// may be moved in: they are freed early, which matters with millions.
Result<SourceProfile> build_source_profile(const Binary& binary, BinaryCounts counts,
                                           const BuildOptions& options);

}  // namespace pgo
