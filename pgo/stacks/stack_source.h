// StackSource: an input of any kind that says where programs spent time, as a StackProfile.
//
//   PGO_TRY(InputBytes input, InputBytes::open("perf.data"));
//   PGO_TRY(StackSource source, read_stack_source(input, {}));
//   source.profile.sample_types   // samples/count and cpu-clock/nanoseconds
//
//   perf.data          every sample with its call chain, in the program, its libraries and the
//                      kernel; addresses have no names (name_stacks() gives them some)
//   pprof, gperftools  as they are
//   folded stacks      names without addresses
//   .addr              each PC sample is a stack of one location, in the file's own addresses. The
//                      values are samples/count, and the sum of the sampling periods:
//                      cpu-clock/nanoseconds as of its recording, or weight/count if several events
//                      were sampled; other code is "[kernel]", "[other binaries]", and so on
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "converters/perf_data/sample_options.h"
#include "converters/perf_data/stacks/branch_windows.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_profile.h"
#include "pgo/source/input_bytes.h"

namespace pgo {

struct StackSourceOptions {
  // Which samples of a recording count, and on how many threads it is read. `events` choose among
  // its events; other inputs keep all sample types, and the caller chooses among these.
  perf_data::SampleOptions samples;
  bool counts_branches = false;  // StackSource::branches
};

struct StackSource {
  StackProfile profile;  // normalized
  // Of the machine that was recorded, as perf.data has them; empty: not known.
  std::string host, cpu_model;
  Origins origins;           // of an address profile
  bool of_branches = false;  // do weights count branches that ran, instead of time?
  uint64_t lost = 0;         // samples that the kernel says it could not store
  Diagnostics diagnostics;
  perf_data::SampledBranches branches;  // of a recording
};

// Errors: kInput for what is damaged or cut short; kUnsupported for another format, and for an
// address profile without PC samples: branch records count branches, not cost; kUsage for events
// that are not there or count different things, and for a choice of processes, threads or times
// where an input does not have these of each sample; kEmpty for an input without samples.
Result<StackSource> read_stack_source(const InputBytes& input, const StackSourceOptions& options);

}  // namespace pgo
