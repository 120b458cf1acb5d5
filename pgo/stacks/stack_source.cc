#include "pgo/stacks/stack_source.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "converters/address/address_profile_reader.h"
#include "converters/perf_data/event_choice.h"
#include "converters/perf_data/recording.h"
#include "converters/perf_data/stacks/stack_reader.h"
#include "pgo/ingest/sample_choice.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/address_selection.h"
#include "pgo/profile/other_code.h"
#include "pgo/profile/sample_value.h"

namespace pgo {
namespace {

// What has no samples of single processes, threads or times.
Result<void> refuse_choice(const InputBytes& input, const std::string& kind,
                           const std::string& advice, const StackSourceOptions& options) {
  perf_data::ReadOptions choice;
  static_cast<perf_data::SampleOptions&>(choice) = options.samples;
  return refuse_sample_choice(input.path(), kind, advice, choice);
}

Result<StackSource> read_recording(const InputBytes& input, const StackSourceOptions& options) {
  PGO_TRY(perf_data::Recording recording,
          perf_data::scan_recording(input.contents(), input.path(), {}));
  PGO_TRY(perf_data::RecordedStacks stacks,
          perf_data::read_stacks(recording, {{options.samples}, options.counts_branches}));
  StackSource source;
  source.profile = std::move(stacks.profile);
  source.host = std::move(recording.hostname);
  source.cpu_model = std::move(recording.cpu_model);
  source.of_branches = stacks.of_branches;
  source.lost = stacks.lost;
  source.diagnostics = std::move(stacks.diagnostics);
  source.branches = std::move(stacks.branches);
  return source;
}

// Did events that count branches take all samples?
bool is_of_branches(const std::vector<EventInfo>& events) {
  bool has_samples = false;
  for (const EventInfo& event : events) {
    if (event.samples != 0 && !perf_data::names_branches(event.name)) return false;
    has_samples |= event.samples != 0;
  }
  return has_samples;
}

int64_t to_value(uint64_t count) {
  return static_cast<int64_t>(std::min<uint64_t>(count, std::numeric_limits<int64_t>::max()));
}

// What weights count: the event that took the samples, as its perf.data and its pprof call it.
// "weight" where several events did.
void name_weights(const std::vector<EventInfo>& events, StackProfile& profile) {
  std::set<std::string> names, events_named;  // with modifiers, and without
  std::set<uint64_t> periods;                 // 0: differs from sample to sample
  for (const EventInfo& event : events) {
    if (event.samples == 0 || event.branch_records == BranchRecords::kSome) continue;
    names.insert(event.name);
    events_named.emplace(event_without_modifiers(event.name));
    periods.insert(event.is_frequency ? 0 : event.period);
  }
  if (events_named.size() != 1 || counts_samples(*events_named.begin())) return;
  const std::string& event = *events_named.begin();
  const bool is_time = event == "cpu-clock" || event == "task-clock" || event == "cpu";
  const ValueType type = {profile.strings.add(names.size() == 1 ? *names.begin() : event),
                          profile.strings.add(is_time ? "nanoseconds" : "count")};
  constexpr uint64_t kLargest = std::numeric_limits<int64_t>::max();
  profile.sample_types.back() = profile.period_type = type;
  profile.period =
      periods.size() == 1 ? static_cast<int64_t>(std::min(*periods.begin(), kLargest)) : 0;
}

// Addresses are the files' own, as in mappings of no process. The samples of `counts` are used up:
// there may be very many.
void add_samples(BinaryCounts& counts, StackProfile& profile) {
  if (counts.pc_samples.empty()) return;
  StackMapping mapping;
  mapping.filename = profile.strings.add(counts.path_hint);
  mapping.build_id = profile.strings.add(counts.id.hex());
  const MappingId id = profile.add_mapping(mapping);
  const LabelsId no_labels = profile.add_labels({});
  for (const PcSample& sample : counts.pc_samples) {
    LocationId location = profile.add_location({id, RuntimeAddr{sample.pc.value}}, {});
    profile.add_sample({profile.add_stack({location}), no_labels},
                       {to_value(sample.samples), to_value(sample.weight)});
  }
  counts = {};
}

// Are there samples with branch records in the accounting of the profile? Their traces may have
// been left out.
bool counts_branch_records(const AddressProfile& profile) {
  return profile.has_traces() ||
         std::any_of(profile.events.begin(), profile.events.end(), [](const EventInfo& event) {
           return event.samples != 0 && event.branch_records == BranchRecords::kSome;
         });
}

// Samples in code that the profile has no addresses of: without them, its binaries would be all
// there is, and shares and totals would be of these. The profile does not have the weight of these
// samples. They get the mean weight of the others: exact where all were taken with one period.
void add_other_code(const Accounting& accounting, uint64_t samples, uint64_t weight,
                    StackProfile& profile) {
  std::map<std::string_view, uint64_t> found;
  for (size_t i = 0; i < kDroppedCount; i++)
    if (const std::string_view code = other_code(static_cast<Dropped>(i));
        !code.empty() && accounting.dropped[i] != 0)
      found[code] = saturating_add(found[code], accounting.dropped[i]);
  const LabelsId no_labels = profile.add_labels({});
  for (const auto& [code, count] : found) {
    const FunctionId function = profile.add_function({profile.strings.add(code)});
    const LocationId location = profile.add_location({kNoMapping, RuntimeAddr{0}}, {{function}});
    profile.add_sample({profile.add_stack({location}), no_labels},
                       {to_value(count), to_value(share_of(weight, count, samples))});
  }
}

void reserve(StackProfile& profile, size_t samples) {
  profile.locations.reserve(samples);
  profile.lines.reserve(samples, 0);
  profile.stacks.reserve(samples, samples);
  profile.samples.reserve(samples);
  profile.values.reserve(samples * profile.sample_types.size());
}

Result<StackSource> read_addresses(const InputBytes& input, const StackSourceOptions& options) {
  constexpr const char* kAdvice =
      "use the option when you convert the recordings to address profiles";
  PGO_CHECK(refuse_choice(input, "address profile", kAdvice, options));
  PGO_TRY(AddressProfile addresses, read_address_profile(input.contents(), input.path()));
  auto has_samples = [](const BinaryCounts& counts) { return !counts.pc_samples.empty(); };
  if (std::none_of(addresses.binaries.begin(), addresses.binaries.end(), has_samples))
    return fail(ErrorKind::kUnsupported,
                input.path() +
                    ": has branch records and no PC samples; branch records count how often "
                    "branches were taken, not what code costs",
                "give the recordings themselves, or address profiles of recordings without branch "
                "records");
  StackSource source;
  if (addresses.has_traces())
    source.diagnostics.warn("branch-records", input.path() +
                                                  ": has branch records, too; only its PC samples "
                                                  "are used, because branches do not measure cost");
  StackProfile& profile = source.profile;
  const StringId count = profile.strings.add("count");
  profile.sample_types = {{profile.strings.add("samples"), count},
                          {profile.strings.add("weight"), count}};
  name_weights(addresses.events, profile);
  // The binary with the most weight is the main one.
  std::vector<BinaryCounts*> binaries;
  size_t sampled = 0;  // addresses
  uint64_t samples = 0, weight = 0;
  for (BinaryCounts& counts : addresses.binaries) {
    counts.traces = {}, counts.mispredicts = {}, counts.calls = {};
    binaries.push_back(&counts);
    sampled += counts.pc_samples.size();
    samples = saturating_add(samples, counts.pc_sample_count());
    weight = saturating_add(weight, counts.pc_sample_weight());
  }
  reserve(profile, sampled + kDroppedCount);
  std::stable_sort(binaries.begin(), binaries.end(), [](const auto* a, const auto* b) {
    return a->pc_sample_weight() > b->pc_sample_weight();
  });
  for (BinaryCounts* counts : binaries) add_samples(*counts, profile);
  if (samples > 0 && !counts_branch_records(addresses))
    add_other_code(addresses.samples, samples, weight, profile);
  source.of_branches = is_of_branches(addresses.events);
  source.origins = std::move(addresses.origins);
  source.lost = addresses.lost;
  source.diagnostics.add(addresses.diagnostics);
  return source;
}

Result<StackSource> read_stacks_as_they_are(const InputBytes& input,
                                            const StackSourceOptions& options) {
  PGO_CHECK(
      refuse_choice(input, "stack profile", "name only the inputs that you want to use", options));
  StackSource source;
  PGO_TRY(source.profile, read_stack_profile(input, source.diagnostics));
  return source;
}

Result<StackSource> read_any(const InputBytes& input, const StackSourceOptions& options) {
  if (input.damage()) return Failure{*input.damage()};
  if (input.format() == Format::kPerfData) return read_recording(input, options);
  if (input.format() == Format::kAddressProfile) return read_addresses(input, options);
  if (input.format() && is_stack_format(*input.format()))
    return read_stacks_as_they_are(input, options);
  if (!input.format()) return input.unknown();
  return fail(ErrorKind::kUnsupported,
              input.describe(", which does not say what code costs: a recording (perf.data), a "
                             "stack profile (pprof, gperftools, folded stacks) or an address "
                             "profile of PC samples does"));
}

}  // namespace

Result<StackSource> read_stack_source(const InputBytes& input, const StackSourceOptions& options) {
  PGO_TRY(StackSource source, read_any(input, options));
  if (source.profile.samples.empty() || source.profile.sample_types.empty())
    return fail(ErrorKind::kEmpty, input.path() + ": has no samples: was the program idle?");
  source.profile.normalize();
  return source;
}

}  // namespace pgo
