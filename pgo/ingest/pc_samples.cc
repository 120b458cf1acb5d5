#include "pgo/ingest/pc_samples.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "converters/perf_data/event_choice.h"
#include "pgo/binary/profile_note.h"
#include "pgo/infer/inferred_counts.h"
#include "pgo/ingest/single_steps.h"
#include "pgo/profile/address_selection.h"
#include "pgo/profile/halves_quality.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

// Steps to the flow of half the samples; all of them get 150. With too few the search is what
// differs, the more the more samples there are: with 30, 75 and 150 halves of 188 000 samples of
// Lua agree on .70, .93 and .95, of a tenth on .91, .94 and .92. Code of many addresses gets fewer,
// since each step takes long there: of 20 000 functions .92, .93 and .93.
constexpr unsigned kStepsOfHalves = 75, kStepsOfLargeHalves = 30;
constexpr size_t kManyAddresses = 50'000;

double weigh(const AddressProfile& profile) {
  double weight = 0;
  for (const BinaryCounts& counts : profile.binaries)
    weight += static_cast<double>(counts.pc_sample_weight());
  return weight;
}

// The rows of a scaled profile are rounded one by one, so they need not add up to `pending`.
uint64_t count_in_rows(const AddressProfile& profile) {
  uint64_t count = 0;
  for (const BinaryCounts& counts : profile.binaries)
    count = saturating_add(count, counts.pc_sample_count());
  return count;
}

// What samples of an event weigh.
std::string unit_of(const EventInfo& event) {
  if (!event.is_frequency && event.period <= 1) return "samples without a period";
  if (is_clock(event.name) || event.name == kSteppedEvent) return "time";
  const std::string name = perf_data::any_core_name(event.name);
  return name.substr(0, name.find(':'));
}

// A note of a profile for the compiler tells who chose the layout, where few samples do not.
std::optional<infer::Layout> find_layout(const ElfImage& image) {
  if (find_compile_profile_use(image) == CompileProfileUse::kUnknown) return std::nullopt;
  return infer::Layout::kByProfile;
}

bool is_much_flow(std::optional<double> unsampled_share) {
  return unsampled_share && *unsampled_share > thresholds::kMaxUnsampledFlow;
}

Quality quality_by(uint64_t samples, std::optional<double> unsampled_share) {
  Quality by_number = quality_of_pc_samples(samples);
  return is_much_flow(unsampled_share) ? one_lower(by_number) : by_number;
}

}  // namespace

Evidence Inference::evidence() const {
  if (step_samples != 0 && quality_of_steps >= thresholds::kMinStepsForEvidence)
    return Evidence::kSoftwareBranchRecords;
  return symbolized ? Evidence::kFunctionAndLine : Evidence::kPcSamples;
}

Evidence Inference::evidence_of(const InferredBinary& binary) const {
  if (step_samples == 0) return evidence();
  const bool is_recorded =
      !binary.is_inferred || binary.quality_of_steps >= thresholds::kMinStepsForEvidence;
  return is_recorded ? Evidence::kSoftwareBranchRecords : Evidence::kPcSamples;
}

bool Inference::has_much_unsampled_flow() const { return is_much_flow(unsampled_flow_share); }

Quality Inference::quality() const {
  if (!is_cpu_time) return Quality::kUnknown;
  return std::max(quality_of_steps, quality_by(samples, unsampled_flow_share));
}

Quality Inference::quality_of(const InferredBinary& binary) const {
  if (!is_cpu_time) return Quality::kUnknown;
  if (binary.samples == 0) return binary.quality_of_steps;
  return std::max(binary.quality_of_steps, quality_by(binary.samples, binary.unsampled_flow_share));
}

void warn_of_units(AddressProfile& profile) {
  std::set<std::string> units;
  for (const EventInfo& event : profile.events)
    if (event.samples != 0) units.insert(unit_of(event));
  if (units.size() < 2) return;
  std::string list;
  for (const std::string& unit : units) list += (list.empty() ? "" : ", ") + unit;
  profile.diagnostics.warn(
      "several-events",
      "PC samples of several events are added up, weighted by their periods: " + list +
          "; events whose period has a smaller unit may have almost no weight. Convert the inputs "
          "of each event separately");
}

void drop_beside_traces(AddressProfile& profile) {
  if (profile.has_traces()) profile.samples.drop_pending(Dropped::kWithoutStack);
}

Result<std::optional<Inference>> infer_from_pc_samples(AddressProfile& profile,
                                                       const BinarySet& binaries, unsigned jobs) {
  const bool has_steps = has_steps_and_pc_samples(profile);
  if (!has_steps) drop_beside_traces(profile);
  uint64_t samples = profile.samples.pending;
  if (samples == 0) return std::optional<Inference>();
  warn_of_units(profile);

  // A sample counts its period, which differs between hosts; the model wants to know how many there
  // were.
  infer::InferOptions options;
  options.model.jobs = jobs;
  double weight = weigh(profile), outside = 0, overlap = 0, inside = 0;
  double unsampled = 0, shared = 0;
  const uint64_t in_rows = count_in_rows(profile);
  options.weight = weight / static_cast<double>(samples);
  Inference inference;
  inference.samples = samples;
  inference.is_cpu_time = counts_cpu_time(profile);
  if (has_steps) {
    options.trace_weight = 1;
    inference.step_samples = profile.samples.used;
    const HalvesOfRecords halves = judge_halves(profile.binaries);
    inference.step_records = halves.records;
    inference.quality_of_steps = halves.quality;
  }
  std::vector<std::vector<Trace>> traces;
  for (BinaryCounts& counts : profile.binaries) {
    InferredBinary& of_binary = inference.binaries.emplace_back();
    traces.emplace_back();
    if (has_steps) {
      const HalvesOfRecords halves = judge_halves({&counts, 1});
      of_binary.step_records = halves.records;
      of_binary.quality_of_steps = halves.quality;
    }
    if (counts.pc_samples.empty()) continue;
    PGO_TRY(const Binary* binary, binaries.find(counts));
    options.split_half_iterations =
        counts.pc_samples.size() > kManyAddresses ? kStepsOfLargeHalves : kStepsOfHalves;
    options.model.layout = find_layout(*binary->image);
    PGO_TRY(infer::InferredCounts inferred,
            infer::infer_counts(*binary->image, binary->symbol_image(), counts, options));
    traces.back() = inferred.to_traces().traces;
    of_binary.is_inferred = !traces.back().empty();
    of_binary.samples = share_of(samples, counts.pc_sample_count(), in_rows);
    of_binary.weight = counts.pc_sample_weight();
    of_binary.split_half_overlap = inferred.split_half_overlap;
    of_binary.unsampled_flow_share = inferred.unsampled_flow_share;
    inference.functions += inferred.functions.size();
    inference.guessed_jumps += inferred.guessed_jumps;
    outside += static_cast<double>(inferred.outside_functions);
    auto in_functions = static_cast<double>(inferred.in_functions);
    if (inferred.unsampled_flow_share) {
      shared += in_functions;
      unsampled += *inferred.unsampled_flow_share * in_functions;
    }
    if (!inferred.split_half_overlap) continue;
    inside += in_functions;
    overlap += *inferred.split_half_overlap * in_functions;
  }
  if (inference.functions == 0) {
    drop_beside_traces(profile);
    return std::optional<Inference>();
  }
  if (has_steps)
    combine_with_steps(std::move(traces), profile);
  else
    for (size_t i = 0; i < traces.size(); i++) profile.binaries[i].traces = std::move(traces[i]);
  inference.outside_functions = outside / weight;
  if (inside > 0) inference.split_half_overlap = overlap / inside;
  if (shared > 0) inference.unsampled_flow_share = unsampled / shared;
  profile.samples.use_pending();
  return std::optional<Inference>(inference);
}

bool keep_pc_samples(AddressProfile& profile) {
  bool is_all = profile.samples.pending != 0 && !profile.has_traces();
  if (is_all) warn_of_units(profile);
  profile.samples.use_pending();
  return is_all;
}

bool counts_cpu_time(const AddressProfile& profile) {
  return std::all_of(profile.events.begin(), profile.events.end(), [](const EventInfo& event) {
    return event.samples == 0 || is_cpu_time(event.name);
  });
}

}  // namespace pgo
