// convert_stacks(): one input into a stack profile (pprof), with names for its addresses where the
// binaries that ran are given: what convert() is for outputs of counts.
//
//   ConvertRequest request;
//   request.inputs = {"perf.data"};
//   request.binaries = {"./server"};
//   request.outputs = {{Format::kPprof, "server.pb.gz"}};
//   PGO_TRY(StackConversion named, convert_stacks(request));
//
// Samples of a recording get labels for the machine that its header names (machine_labels.h).
// Several inputs are not added up here: merge() does that, with their periods and hosts in view.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/convert/convert.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/stacks/stack_names.h"

namespace pgo {

// Is any output a stack profile? Such a request is for convert_stacks().
bool wants_stacks(const ConvertRequest& request);

struct StackConversion {
  std::vector<OutputFile> outputs;
  std::vector<SampleTotal> totals;
  size_t samples = 0;   // different ones
  SampleTotal weight;   // what shares of `naming` are of
  StackNaming naming;   // its diagnostics are in `diagnostics`
  size_t binaries = 0;  // that were given
  std::string host, cpu_model;
  uint64_t lost = 0;
  Diagnostics diagnostics;
};

// Without binaries, a recording keeps its addresses. Errors: kUsage for several inputs, for outputs
// of counts beside stack profiles, for options of these, and for a stack profile without a binary
// to name it by; else those of read_stack_source(), BinarySet and check_plan().
Result<StackConversion> convert_stacks(const ConvertRequest& request);

}  // namespace pgo
