#include "pgo/profile/halves_quality.h"

#include <algorithm>

#include "pgo/profile/address_selection.h"
#include "pgo/profile/split_half.h"
#include "pgo/profile/thresholds.h"

namespace pgo {

Quality quality_of_halves(std::optional<double> overlap, uint64_t records) {
  if (!overlap || records < thresholds::kMinRecordsForHalves) return Quality::kWeak;
  if (*overlap >= thresholds::kFairHalves) return Quality::kFair;
  return *overlap >= thresholds::kThinHalves ? Quality::kThin : Quality::kWeak;
}

HalvesOfRecords judge_halves(std::span<const BinaryCounts> binaries) {
  uint64_t records = 0;
  for (const BinaryCounts& counts : binaries)
    records = saturating_add(records, sum_of_traces(counts));
  const std::optional<double> overlap = overlap_of_trace_halves(binaries);
  return {overlap, quality_of_halves(overlap, records), records};
}

Quality quality_of_branch_records(double density, Quality by_halves) {
  const Quality by_density = quality_of_density(density);
  return by_density == Quality::kUnknown ? by_density : std::max(by_density, by_halves);
}

}  // namespace pgo
