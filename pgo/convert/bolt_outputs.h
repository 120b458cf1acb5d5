// The outputs of a conversion that are for BOLT: one file for each binary.
#pragma once

#include "bolt/perf2bolt.h"
#include "pgo/base/result.h"
#include "pgo/convert/convert.h"

namespace pgo {

// The perf2bolt to run; nothing is looked for when no output of `request` is fdata. Error:
// kUnsupported.
Result<Perf2bolt> find_perf2bolt_for(const ConvertRequest& request);

struct BoltTools {
  const Perf2bolt& perf2bolt;
  ToolLimits limits;
};

// Adds the profiles in `output.format` of all binaries that have counts in `result.profile`.
// Binaries without any get a warning instead. Errors: those of perf2bolt.
Result<void> add_bolt_outputs(const OutputSpec& output, const BoltTools& tools,
                              ConvertResult& result);

}  // namespace pgo
