// What programs of the benchmark that estimate counts read and write.
#pragma once

#include <string>

#include "pgo/infer/inferred_counts.h"

namespace pgo::infer {

// The PC samples of pprof that are of `image`, with the calls of their stacks.
Result<AddressProfile> read_samples(const ElfImage& image, const char* path);

// As traces that `pgo convert` takes.
Result<void> write_traces(const InferredCounts& counts, const std::string& path);

}  // namespace pgo::infer
