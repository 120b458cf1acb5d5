#include "pgo/ingest/single_steps.h"

#include <algorithm>
#include <cmath>

#include "pgo/ingest/pc_samples.h"
#include "pgo/profile/address_selection.h"
#include "pgo/profile/quality.h"
#include "pgo/profile/split_half.h"

namespace pgo {
namespace {

// So many PC samples gain as much as one sample by single steps
// (docs/measurements/single-steps.md).
constexpr double kPcSamplesOfStep = 10;
// The weight of steps beside inferred counts, which use the branches of the steps already. It is at
// most kWeightOfSteps, and half of that with kRecordsOfHalfWeight branch records: few records are
// mostly chance. With weight 1, 2 000 of them lost most of what brotli gained in instructions, and
// 50 000 gain with any weight (docs/measurements/single-steps.md).
constexpr double kWeightOfSteps = 0.3, kRecordsOfHalfWeight = 5'000;

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

// How much the PC samples weigh: 1 with enough of them, and less with few for each step.
double weight_of_pc_samples(const Accounting& samples) {
  const auto steps = static_cast<double>(std::max<uint64_t>(samples.used, 1));
  return std::min(1.0, static_cast<double>(samples.pending) / (kPcSamplesOfStep * steps));
}

double weight_of_steps(double records) {
  return kWeightOfSteps * records / (records + kRecordsOfHalfWeight);
}

// By binary: its part of the branch records. The counts of traces may be weighted, as in bundles,
// and then are no numbers of records.
std::vector<double> records_of_binaries(const AddressProfile& profile) {
  double all = 0;
  std::vector<double> records;
  for (const BinaryCounts& counts : profile.binaries)
    all += records.emplace_back(static_cast<double>(sum_of_traces(counts)));
  const auto used = static_cast<double>(std::max<uint64_t>(profile.branches.used, 1));
  for (double& one : records) one *= used / all;
  return records;
}

// For each binary, the factor that scales the counts of its steps beside its inferred counts. The
// weight depends on the branch records of that binary: two steps in a library are chance, however
// many its program has. PC samples show better how much time each binary takes. A binary without PC
// samples gets the ratio of inferred to stepped code of all binaries. Empty if either is none.
std::vector<double> step_factors(const AddressProfile& profile,
                                 const std::vector<std::vector<Trace>>& inferred) {
  double all_inferred = 0, all_steps = 0;
  for (const std::vector<Trace>& traces : inferred) all_inferred += executed_bytes(traces);
  for (const BinaryCounts& counts : profile.binaries) all_steps += executed_bytes(counts.traces);
  if (all_inferred == 0 || all_steps == 0) return {};
  const std::vector<double> records = records_of_binaries(profile);
  const double of_pc_samples = weight_of_pc_samples(profile.samples);
  std::vector<double> factors;
  for (size_t i = 0; i < inferred.size(); i++) {
    const double here = executed_bytes(inferred[i]);
    const double there = executed_bytes(profile.binaries[i].traces);
    const double factor = here > 0 && there > 0 ? weight_of_steps(records[i]) * here / there
                                                : all_inferred / all_steps;
    factors.push_back(factor / of_pc_samples);
  }
  return factors;
}

void add_traces(AddressProfile& profile, const std::vector<std::vector<Trace>>& added) {
  for (size_t i = 0; i < added.size(); i++) {
    std::vector<Trace>& traces = profile.binaries[i].traces;
    traces.insert(traces.end(), added[i].begin(), added[i].end());
    profile.binaries[i].normalize();
  }
}

}  // namespace

bool has_steps_and_pc_samples(const AddressProfile& profile) {
  return profile.samples.pending != 0 && has_single_steps_only(profile.events) &&
         counts_cpu_time(profile) && profile.has_traces();
}

void combine_with_steps(std::vector<std::vector<Trace>> inferred, AddressProfile& profile) {
  const std::vector<double> factors = step_factors(profile, inferred);
  if (!factors.empty()) {
    // All counts grow, so that little is rounded away, and not so far that sums of them overflow.
    constexpr double kMostGrowth = 1000;
    const double growth =
        std::clamp(1 / *std::min_element(factors.begin(), factors.end()), 1.0, kMostGrowth);
    for (size_t i = 0; i < inferred.size(); i++) {
      scale(profile.binaries[i].traces, factors[i] * growth);
      scale(inferred[i], growth);
    }
  }
  add_traces(profile, inferred);
}

}  // namespace pgo
