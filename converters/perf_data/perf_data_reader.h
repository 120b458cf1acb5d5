// From perf.data to an AddressProfile: the second pass over a recording. Every sample is resolved
// by the state of its own process at its own time, so blocks of records are read in any order, on
// all cores, and the counts are sums: the result does not depend on either.
//
//   PGO_TRY(Recording recording, scan_recording(file.bytes(), path, {}));
//   PGO_TRY(AddressProfile profile, read_samples(recording, binaries, {}));
#pragma once

#include <vector>

#include "converters/perf_data/address_space.h"
#include "converters/perf_data/recording.h"
#include "converters/perf_data/sample_options.h"
#include "pgo/elf/target_binary.h"
#include "pgo/profile/address_profile.h"

namespace pgo::perf_data {

// Whose reading of a recording to follow: ours, which keeps every process apart, or llvm-profgen's,
// quirks included (AddressSpaces::as_llvm_profgen), which takes one binary.
enum class Compatibility { kNone, kLlvmProfgen };

struct ReadOptions : SampleOptions {
  Compatibility compatibility = Compatibility::kNone;
};

// Normalized. Branch records count as they are. Samples without branch stacks become PC samples,
// weighted by their period, so that hosts recorded at different rates add up; they are accounted
// for as pending, until somebody infers counts from them.
Result<AddressProfile> read_samples(const Recording& recording,
                                    const std::vector<TargetBinary>& binaries,
                                    const ReadOptions& options);

// A file that ran and is none of the binaries, with the samples that were taken in it.
struct OtherFile {
  RecordedFile file;
  uint64_t samples = 0;
};

// The same, and `others` gets such files, in no particular order.
Result<AddressProfile> read_samples(const Recording& recording,
                                    const std::vector<TargetBinary>& binaries,
                                    const ReadOptions& options, std::vector<OtherFile>& others);

}  // namespace pgo::perf_data
