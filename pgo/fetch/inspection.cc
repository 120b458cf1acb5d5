#include "pgo/fetch/inspection.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "converters/address/address_profile_reader.h"
#include "converters/perf_data/recording.h"
#include "converters/perf_data/stacks/stack_reader.h"
#include "pgo/base/bytes.h"
#include "pgo/diff/sample_weight.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/profile/address_selection.h"
#include "pgo/profile/build_shares.h"
#include "pgo/profile/label_limits.h"
#include "pgo/profile/quality.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/source/input_bytes.h"

namespace pgo {
namespace {

constexpr size_t kMaxLabels = 64, kMaxLabelLength = 256;

bool is_web_page(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == text.npos) return false;
  auto begins_with = [&](std::string_view word) {
    const std::string_view start = text.substr(begin, word.size());
    return std::equal(start.begin(), start.end(), word.begin(), word.end(), [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
  };
  return begins_with("<!doctype html") || begins_with("<html");
}

// The sample type that tells time on the CPU: the default of the profile if it does, or else the
// last that does, which is time where there are both samples and time. Without one, the default.
std::string choose_type(const StackProfile& profile, InspectedProfile& inspected) {
  const size_t shown = shown_type(profile);
  inspected.counts_cpu_time = true;
  if (is_cpu_time(counted_event(profile, shown))) return type_name(profile, shown);
  for (size_t type = profile.sample_types.size(); type-- > 0;)
    if (is_cpu_time(counted_event(profile, type))) return type_name(profile, type);
  inspected.counts_cpu_time = false;
  return type_name(profile, shown);
}

// Labels that all samples have, with one value.
Labels shared_labels(const StackProfile& profile) {
  Labels shared;
  std::set<LabelsId> sets;
  for (const StackSample& sample : profile.samples) sets.insert(sample.labels);
  bool is_first = true;
  for (const LabelsId id : sets) {
    const auto set = static_cast<size_t>(id);
    Labels its;
    for (const StackLabel& label : profile.labels[set])
      if (!label.is_number() && profile.text(label.text).size() <= kMaxLabelLength)
        its.emplace(profile.text(label.key), profile.text(label.text));
    if (std::exchange(is_first, false))
      shared = std::move(its);
    else
      std::erase_if(shared, [&](const auto& label) {
        auto found = its.find(label.first);
        return found == its.end() || found->second != label.second;
      });
  }
  while (shared.size() > kMaxLabels) shared.erase(std::prev(shared.end()));
  return shared;
}

struct BuildCounts {
  double total = 0, samples = 0;
  std::string path;

  // Of several paths the one that sorts first, so that the order of samples cannot be seen.
  void add_path(std::string_view name) {
    if (path.empty() || (!name.empty() && name < path)) path = name;
  }
};

bool is_pseudo_file(std::string_view path) { return path.starts_with('['); }

std::vector<InspectedBuild> sorted_builds(const std::map<std::string, BuildCounts>& counts) {
  std::vector<InspectedBuild> builds;
  for (const auto& [id, its] : counts) builds.push_back({id, its.total, its.samples, its.path});
  std::stable_sort(builds.begin(), builds.end(),
                   [](const auto& a, const auto& b) { return a.total > b.total; });
  return builds;
}

// Of the leaf of a stack.
enum class LeafPart : uint8_t { kNoAddress, kNoBuildId, kKnown, kOther };

LeafPart part_of(const StackProfile& profile, const StackLocation& leaf,
                 const std::vector<std::string>& ids) {
  if (leaf.address.value == 0) return LeafPart::kNoAddress;
  if (leaf.mapping == kNoMapping) return LeafPart::kOther;
  const auto mapping = static_cast<size_t>(leaf.mapping);
  if (!ids[mapping].empty()) return LeafPart::kKnown;
  const std::string_view file = profile.text(profile.mappings[mapping].filename);
  return is_pseudo_file(file) ? LeafPart::kOther : LeafPart::kNoBuildId;
}

// By the mapping of the leaf. Files without a build ID are left out.
void find_builds(const StackProfile& profile, const SampleWeight& weight,
                 InspectedProfile& inspected) {
  std::vector<std::string> ids;  // of mappings
  for (const StackMapping& mapping : profile.mappings)
    ids.push_back(profile.build_id_of(mapping).hex());
  std::map<std::string, BuildCounts> counts;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    const auto stack = profile.stacks[static_cast<size_t>(profile.samples[i].stack)];
    const int64_t value = weight.value(profile, i);
    if (stack.empty() || value <= 0) continue;
    const StackLocation& leaf = profile.locations[static_cast<size_t>(stack[0])];
    const LeafPart part = part_of(profile, leaf, ids);
    const double share = static_cast<double>(value) / inspected.total;
    if (part == LeafPart::kNoAddress) inspected.without_address += share;
    if (part == LeafPart::kNoBuildId) inspected.without_build_id += share;
    if (leaf.mapping == kNoMapping) continue;
    const auto mapping = static_cast<size_t>(leaf.mapping);
    const std::string_view path = profile.text(profile.mappings[mapping].filename);
    if (is_pseudo_file(path)) inspected.outside_files += share;
    if (ids[mapping].empty()) continue;
    BuildCounts& its = counts[ids[mapping]];
    its.add_path(path);
    its.total += static_cast<double>(value);
    its.samples += weight.samples(profile, i);
  }
  inspected.builds = sorted_builds(counts);
  // The first mapping is that of the main binary.
  if (!ids.empty()) inspected.program = ids[0];
  if (inspected.program.empty() && !inspected.builds.empty())
    inspected.program = inspected.builds[0].id;
}

Evidence evidence_of(const StackProfile& profile) {
  const bool has_addresses =
      std::any_of(profile.locations.begin(), profile.locations.end(),
                  [](const StackLocation& location) { return location.address.value != 0; });
  return has_addresses ? Evidence::kPcSamples : Evidence::kFunctionAndLine;
}

Result<void> inspect_stacks(const StackProfile& profile, const std::string& name,
                            const std::string& wanted, InspectedProfile& inspected) {
  for (size_t type = 0; type < profile.sample_types.size(); type++)
    inspected.types.push_back(type_name(profile, type));
  if (profile.samples.empty() || profile.sample_types.empty())
    return fail(ErrorKind::kEmpty, name + ": no samples in this window");
  const std::string chosen = wanted.empty() ? choose_type(profile, inspected) : wanted;
  PGO_TRY(SampleWeight weight, SampleWeight::choose(profile, chosen, name));
  inspected.type = type_name(profile, weight.type());
  double samples = 0;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    const int64_t value = weight.value(profile, i);
    if (value <= 0) continue;
    inspected.total += static_cast<double>(value);
    samples += weight.samples(profile, i);
  }
  if (inspected.total <= 0)
    return fail(ErrorKind::kEmpty, name + ": no samples of " + inspected.type + " in this window");
  inspected.samples = static_cast<uint64_t>(std::clamp(std::round(samples), 1.0, 1e18));
  if (inspected.evidence == Evidence::kUnknown) inspected.evidence = evidence_of(profile);
  find_builds(profile, weight, inspected);
  inspected.labels = shared_labels(profile);
  if (profile.time > 0 && profile.duration >= 0 && profile.duration < INT64_MAX - profile.time)
    inspected.window = TimeWindow{profile.time, profile.time + profile.duration};
  inspected.leaves = leaf_shares(profile, weight.type());
  return ok();
}

Result<void> inspect_recording(const InputBytes& input, const std::string& wanted,
                               InspectedProfile& inspected) {
  PGO_TRY(perf_data::Recording recording,
          perf_data::scan_recording(input.contents(), input.path(), {}));
  if (recording.is_truncated)
    return fail(ErrorKind::kInput, input.path() + ": ends before it should");
  perf_data::StackOptions options;
  options.jobs = 1;
  if (!wanted.empty()) options.events = {wanted};
  PGO_TRY(perf_data::RecordedStacks stacks, perf_data::read_stacks(recording, options));
  inspected.diagnostics = std::move(stacks.diagnostics);
  inspected.accounting = stacks.samples;
  std::vector<EventInfo> branch_events;
  for (const perf_data::EventAttr& event : recording.events)
    if (event.has_branch_stacks())
      branch_events.push_back({.name = event.name, .branch_records = BranchRecords::kSome});
  if (!branch_events.empty()) inspected.evidence = evidence_of_branches(branch_events);
  // Branch events sample what ran, and there is no other choice in this recording.
  inspected.counts_cpu_time = true;
  const std::string type = stacks.profile.sample_types.empty()
                               ? ""
                               : type_name(stacks.profile, shown_type(stacks.profile));
  PGO_CHECK(inspect_stacks(stacks.profile, input.path(), type, inspected));
  if (!recording.hostname.empty()) inspected.labels.try_emplace("host", recording.hostname);
  inspected.labels.erase("comm");  // of a thread, and not of the profile
  inspected.cpu_model = recording.cpu_model;
  return ok();
}

Result<void> inspect_addresses(const InputBytes& input, InspectedProfile& inspected) {
  PGO_TRY(AddressProfile profile, read_address_profile(input.contents(), input.path()));
  const auto largest = std::max_element(
      profile.events.begin(), profile.events.end(),
      [](const EventInfo& a, const EventInfo& b) { return a.samples < b.samples; });
  inspected.type = largest == profile.events.end() ? "samples" : largest->name;
  inspected.types = {inspected.type};
  inspected.counts_cpu_time = true;
  inspected.accounting = profile.samples;
  inspected.samples = profile.samples.seen;
  std::map<std::string, BuildCounts> totals;
  for (const BuildShare& build : list_builds(profile)) {
    inspected.total += static_cast<double>(build.count);
    if (is_pseudo_file(build.path)) inspected.outside_files += static_cast<double>(build.count);
    if (build.id.empty() || build.count == 0) continue;
    totals[build.id].total += static_cast<double>(build.count);
    totals[build.id].add_path(build.path);
  }
  if (inspected.total <= 0)
    return fail(ErrorKind::kEmpty, input.path() + ": no samples in this window");
  inspected.outside_files /= inspected.total;
  // Samples are not counted by build: by the shares of what is.
  for (auto& [id, its] : totals)
    its.samples = static_cast<double>(inspected.samples) * its.total / inspected.total;
  inspected.builds = sorted_builds(totals);
  if (!inspected.builds.empty()) inspected.program = inspected.builds[0].id;
  inspected.evidence =
      profile.has_traces() ? evidence_of_branches(profile.events) : Evidence::kPcSamples;
  inspected.leaves = leaf_shares(profile);
  if (const auto& window = profile.origins.window)
    inspected.window = TimeWindow{window->begin, window->end};
  inspected.labels = profile.origins.shared_labels();
  inspected.diagnostics.add(profile.diagnostics);
  return ok();
}

// Labels that may not be stored. Did the profile have any?
bool limit_labels(StackProfile& profile, const LabelKeys& allowed, const std::string& path,
                  Diagnostics& diagnostics) {
  const LabelKeys dropped = drop_user_labels(profile, allowed);
  if (!dropped.empty()) {
    diagnostics.warn(kUserLabels, user_labels_text(path, dropped));
    profile.normalize();
  }
  Diagnostics limited;
  limit_label_values(profile, {.allowed = allowed}, limited);
  for (const auto& [kind, entry] : limited.entries())
    for (const std::string& message : entry.messages) diagnostics.warn(kind, path + ": " + message);
  return !dropped.empty() || !limited.entries().empty();
}

Result<void> inspect_input(const InputBytes& input, const InspectionOptions& options,
                           InspectedProfile& inspected) {
  if (is_web_page(as_text(input.damage() ? input.file() : input.contents())))
    return fail(ErrorKind::kInput, input.path() + ": is a web page, not a profile",
                "is a login page in front of the store?");
  if (input.damage()) return Failure{*input.damage()};
  if (!input.format()) return input.unknown();
  inspected.format = *input.format();
  if (*input.format() == Format::kPerfData)
    return inspect_recording(input, options.sample_type, inspected);
  if (*input.format() == Format::kAddressProfile) return inspect_addresses(input, inspected);
  if (!is_stack_format(*input.format()))
    return fail(
        ErrorKind::kUnsupported,
        input.describe(", not a profile of samples (a recording, that is perf.data, a stack "
                       "profile, that is pprof, gperftools or folded stacks, or an address "
                       "profile)"));
  // As it was read: putting a profile in order takes longer than all else here, and the figures are
  // sums, for which order does not count.
  PGO_TRY(StackProfile profile, read_stack_profile(input, inspected.diagnostics));
  inspected.has_unwanted_labels =
      limit_labels(profile, options.allowed_labels, input.path(), inspected.diagnostics);
  return inspect_stacks(profile, input.path(), options.sample_type, inspected);
}

// `text` with `name` in place of `path`.
std::string renamed(std::string text, const std::string& path, const std::string& name) {
  for (size_t at = 0; (at = text.find(path, at)) != text.npos; at += name.size())
    text.replace(at, path.size(), name);
  return text;
}

}  // namespace

Result<InspectedProfile> inspect_profile(const std::string& path, const std::string& name,
                                         const InspectionOptions& options) {
  InspectedProfile inspected;
  Result<InputBytes> input = InputBytes::open(path);
  Result<void> outcome =
      input ? inspect_input(*input, options, inspected) : std::move(input).failure();
  if (!outcome)
    return fail(outcome.error().kind, renamed(outcome.error().message, path, name),
                outcome.error().advice);
  Diagnostics named;
  for (const auto& [kind, entry] : inspected.diagnostics.entries()) {
    uint64_t count = entry.count - (entry.messages.size() - 1);
    for (const std::string& message : entry.messages) {
      named.warn(kind, renamed(message, path, name), count);
      count = 1;
    }
  }
  inspected.diagnostics = std::move(named);
  return inspected;
}

}  // namespace pgo
