// The quality of branch records by how well two halves of them agree. The density asks for counts
// in the coldest of the hot functions, which few samples of the processor and hardly any of single
// steps have (64 instructions each), even where they say how the hot branches go.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "pgo/profile/address_profile.h"
#include "pgo/profile/quality.h"

namespace pgo {

// `overlap` is that of overlap_of_trace_halves(), `records` the number of branch records. At most
// kFair: that more records would change little does not say that they are of the usual work, and
// single steps sample by time. kWeak where there are too few records to tell.
Quality quality_of_halves(std::optional<double> overlap, uint64_t records);

// How well two halves of the branch records of `binaries` agree, and their quality by that.
struct HalvesOfRecords {
  std::optional<double> overlap;
  Quality quality = Quality::kWeak;
  uint64_t records = 0;
};
HalvesOfRecords judge_halves(std::span<const BinaryCounts> binaries);

// The better of that and the one by density; kUnknown without a density.
Quality quality_of_branch_records(double density, Quality by_halves);

}  // namespace pgo
