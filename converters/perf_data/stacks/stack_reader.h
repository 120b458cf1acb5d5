// From perf.data to a StackProfile: the address and the call chain of every sample, in the program,
// its libraries and the kernel, weighted by the sample's period. Addresses get no names here.
//
//   PGO_TRY(Recording recording, scan_recording(file.bytes(), path, {}));
//   PGO_TRY(RecordedStacks stacks, read_stacks(recording, {}));
//   stacks.profile.sample_types   // samples/count and cpu-clock/nanoseconds
//
// Blocks of records are read in any order, on all cores: each sample is resolved by the state of
// its own process at its own time, and counts are sums. Addresses are those of one process in which
// each file is mapped once (code_places.h), so that the same code of two processes is one location.
// The first mapping is that of the program in whose stacks most weight is.
//
// A profile has one event, or several that count the same (of the kinds of cores of a hybrid
// processor). Events that count different things are refused: their weights cannot be added up, and
// side by side most values of a profile would be 0 and two sample types be called "samples".
//
// Each sample has the label `comm`, the name of its thread, as perf report sorts by it first.
#pragma once

#include <cstdint>

#include "converters/perf_data/recording.h"
#include "converters/perf_data/sample_options.h"
#include "converters/perf_data/stacks/branch_windows.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/stack_profile.h"

namespace pgo::perf_data {

// Events are chosen as choose_cost_events() does.
struct StackOptions : SampleOptions {
  bool counts_branches = false;  // RecordedStacks::branches
};

struct RecordedStacks {
  // Normalized. Its time is 0 unless the recording tells the time of day (perf record -k); its
  // duration is from the first to the last sample of the chosen events and times.
  StackProfile profile;
  // Used: in the profile, whether its address is in a known mapping or not.
  Accounting samples;
  uint64_t lost = 0;  // samples, by the kernel's own count
  Diagnostics diagnostics;
  // Does its weight count branches instead of time (counts_branches())?
  bool of_branches = false;
  SampledBranches branches;  // of the samples that are used
};

// Errors: those of choose_cost_events().
Result<RecordedStacks> read_stacks(const Recording& recording, const StackOptions& options);

}  // namespace pgo::perf_data
