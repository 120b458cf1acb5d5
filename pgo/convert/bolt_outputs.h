// The outputs of a conversion that are for BOLT: one file for each binary that llvm-bolt can read.
#pragma once

#include <vector>

#include "bolt/perf2bolt.h"
#include "pgo/base/result.h"
#include "pgo/convert/convert.h"

namespace pgo {

// The perf2bolt to run; nothing is looked for when no output of `request` is fdata. Error:
// kUnsupported.
Result<Perf2bolt> find_perf2bolt_for(const ConvertRequest& request);

// Adds the profiles for BOLT of all binaries that have counts in `result.profile`; binaries without
// any get a warning instead. Counts of a binary that llvm-bolt wrote are translated to the one that
// it read, when both are known. Returns which were. Errors: those of the translation and of
// perf2bolt.
Result<std::vector<MovedBinary>> add_bolt_outputs(const ConvertRequest& request,
                                                  const Perf2bolt& perf2bolt,
                                                  ConvertResult& result);

}  // namespace pgo
