#include "pgo/profile/halves_quality.h"

#include <algorithm>

#include "pgo/profile/thresholds.h"

namespace pgo {

Quality quality_of_halves(std::optional<double> overlap, uint64_t records) {
  if (!overlap || records < thresholds::kMinRecordsForHalves) return Quality::kWeak;
  if (*overlap >= thresholds::kFairHalves) return Quality::kFair;
  return *overlap >= thresholds::kThinHalves ? Quality::kThin : Quality::kWeak;
}

Quality quality_of_branch_records(double density, Quality by_halves) {
  const Quality by_density = quality_of_density(density);
  return by_density == Quality::kUnknown ? by_density : std::max(by_density, by_halves);
}

}  // namespace pgo
