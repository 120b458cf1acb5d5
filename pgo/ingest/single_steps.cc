#include "pgo/ingest/single_steps.h"

#include <algorithm>
#include <cmath>

#include "pgo/profile/address_selection.h"
#include "pgo/profile/quality.h"
#include "pgo/profile/split_half.h"

namespace pgo {
namespace {

// So many PC samples gain as much as one sample by single steps
// (docs/measurements/single-steps.md).
constexpr double kPcSamplesOfStep = 10;

double executed_bytes(const std::vector<Trace>& traces) {
  double bytes = 0;
  for (const Trace& trace : traces) bytes += executed_bytes(trace);
  return bytes;
}

void scale(std::vector<Trace>& traces, double factor) {
  constexpr double kMax = 1e18;
  for (Trace& trace : traces)
    trace.count = static_cast<uint64_t>(
        std::llround(std::min(kMax, static_cast<double>(trace.count) * factor)));
}

}  // namespace

bool has_steps_and_pc_samples(const AddressProfile& profile) {
  return profile.samples.pending != 0 && has_single_steps_only(profile.events) &&
         std::any_of(profile.binaries.begin(), profile.binaries.end(),
                     [](const BinaryCounts& counts) { return !counts.traces.empty(); });
}

double weight_of_record(const AddressProfile& profile) {
  uint64_t sum = 0;
  for (const BinaryCounts& counts : profile.binaries)
    sum = saturating_add(sum, sum_of_traces(counts));
  if (sum == 0 || profile.branches.used == 0) return 1;
  return static_cast<double>(sum) / static_cast<double>(profile.branches.used);
}

void add_inferred(AddressProfile& profile, std::vector<std::vector<Trace>> inferred) {
  double of_inferred = 0, of_steps = 0;
  for (const std::vector<Trace>& traces : inferred) of_inferred += executed_bytes(traces);
  for (const BinaryCounts& counts : profile.binaries) of_steps += executed_bytes(counts.traces);
  const auto steps = static_cast<double>(std::max<uint64_t>(profile.samples.used, 1));
  const double share =
      std::min(1.0, static_cast<double>(profile.samples.pending) / (kPcSamplesOfStep * steps));
  // Whichever is to grow is multiplied, so that nothing is rounded away.
  const double factor = of_steps > 0 && of_inferred > 0 ? of_inferred / of_steps / share : 1;
  for (size_t i = 0; i < inferred.size(); i++) {
    BinaryCounts& counts = profile.binaries[i];
    if (factor > 1)
      scale(counts.traces, factor);
    else
      scale(inferred[i], 1 / factor);
    counts.traces.insert(counts.traces.end(), inferred[i].begin(), inferred[i].end());
    counts.normalize();
  }
}

}  // namespace pgo
