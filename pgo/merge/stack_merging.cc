// Stack profiles into one, as pprof, for Go's compiler or as folded stacks.

#include <algorithm>

#include "pgo/ingest/stack_input.h"
#include "pgo/merge/kinds.h"
#include "pgo/merge/merging.h"
#include "pgo/profile/profile_labels.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/stack_merger.h"
#include "pgo/stacks/stack_output.h"

namespace pgo {
namespace {

// The shorter of two periods that may be missing.
int64_t shorter(int64_t a, int64_t b) { return a <= 0 ? b : b <= 0 ? a : std::min(a, b); }

// A merged profile has one period, and of samples of several ones their time is lost, unless it is
// counted, too, as pgo convert wants it.
void warn_of_periods(const StackProfile& merged, int64_t shortest, Diagnostics& diagnostics) {
  if (shortest <= 0 || shortest >= merged.period) return;
  Diagnostics reported_by_convert;
  Result<SampleValue> column = choose_sample_value(merged, "", "", reported_by_convert);
  if (!column || column->time) return;
  std::string_view unit = merged.text(merged.period_type.unit);
  diagnostics.warn("several-periods",
                   "the profiles have periods of " + std::to_string(shortest) + " to " +
                       std::to_string(merged.period) + " " + std::string(unit) +
                       " and no values in time, so all their samples get the same weight; to "
                       "weight them by period, give them to pgo convert without merging");
}

struct StackSum {
  StackMerger merger;
  int64_t shortest_period = 0;  // of the profiles that have one
};

class StackKind {
 public:
  using Profile = StackProfile;
  using Sum = StackSum;

  explicit StackKind(const MergeRequest& request)
      : request_(request),
        host_label_(request.host_label.value_or(MergeRequest::kHostLabel)),
        allowed_labels_(allowed_labels(request)) {}

  Result<std::optional<StackProfile>> read(MergeInputs& inputs, size_t file,
                                           const InputBytes& bytes,
                                           Diagnostics& diagnostics) const {
    const InputFile& named = inputs[file];
    bool is_other = !bytes.damage() && (!bytes.format() || !is_stack_format(*bytes.format()));
    if (named.from_directory && is_other) {
      inputs.warn_of_other_kind(file, "a stack profile", diagnostics);
      return std::optional<StackProfile>();
    }
    PGO_TRY(StackProfile profile, read_stack_profile(bytes, diagnostics));
    inputs.duplicates().add(named, bytes.file());
    if (!request_.sample_types.empty())
      PGO_CHECK(select_sample_types(profile, request_.sample_types, named.shown()));
    if (!request_.builds.empty()) select_builds(profile, request_.builds);
    drop_other_labels(profile, named.labels(), diagnostics);
    drop_labels_of_users(profile, named.shown(), diagnostics);
    trim_source_paths(profile, request_.trimmed_paths);
    return std::optional<StackProfile>(std::move(profile));
  }

  Result<MeasuredInput> measure(const StackProfile& profile, const InputFile& file) const {
    const std::string& path = file.shown();
    if (std::any_of(profile.values.begin(), profile.values.end(),
                    [](int64_t value) { return value < 0; }))
      return fail(ErrorKind::kUnsupported,
                  path +
                      ": has negative values, which \xFF{normalize} does not support; is it a "
                      "difference of profiles? Use \xFF{weight} instead");
    const bool by_duration = request_.normalization == Normalization::kDuration;
    if (by_duration && profile.duration <= 0)
      return fail(ErrorKind::kUnsupported,
                  path +
                      ": does not say how long it was recorded, which \xFF{normalize} duration "
                      "needs; use \xFF{normalize} samples");
    MeasuredInput measured;
    for (size_t type = 0; type < profile.sample_types.size(); type++)
      measured.amounts.push_back(by_duration ? static_cast<uint64_t>(profile.duration)
                                             : magnitude_of(total_of(profile, type)));
    if (request_.normalization != Normalization::kHost) return measured;
    PGO_TRY(measured.host, find_host(profile, file));
    return measured;
  }

  Result<void> add(const StackProfile& profile, const std::string& path, Weight,
                   const MergeFactors& factors, StackSum& sum) const {
    sum.shortest_period = shorter(sum.shortest_period, profile.period);
    return sum.merger.add(profile, path, factors, request_.labels);
  }

  Result<void> join(StackSum&& other, StackSum& sum) const {
    sum.shortest_period = shorter(sum.shortest_period, other.shortest_period);
    return sum.merger.add(std::move(other.merger));
  }

 private:
  // What is asked for by name is.
  static LabelKeys allowed_labels(const MergeRequest& request) {
    LabelKeys allowed = request.allowed_labels;
    if (request.labels.kept)
      allowed.insert(request.labels.kept->begin(), request.labels.kept->end());
    if (request.host_label) allowed.insert(*request.host_label);
    return allowed;
  }

  std::string label_of(const InputFile& file) const {
    const Labels labels = file.labels();
    auto found = labels.find(host_label_);
    return found == labels.end() ? "" : found->second;
  }

  void drop_labels_of_users(StackProfile& profile, const std::string& path,
                            Diagnostics& diagnostics) const {
    LabelKeys dropped = drop_user_labels(profile, allowed_labels_);
    std::erase_if(
        dropped, [&](const std::string& key) { return !request_.labels.key_for(key).has_value(); });
    if (!dropped.empty()) diagnostics.warn(kUserLabels, user_labels_text(path, dropped));
  }

  // What the bundle of a profile says, or else the one value that the label has in it.
  Result<std::string> find_host(const StackProfile& profile, const InputFile& file) const {
    if (const std::string known = label_of(file); !known.empty()) return known;
    std::string found;
    bool differs = false;
    for (const StackSample& sample : profile.samples) {
      std::string host;
      for (const StackLabel& label : profile.labels[static_cast<size_t>(sample.labels)])
        if (profile.text(label.key) == host_label_) host = profile.text(label.text);
      if (found.empty()) found = host;
      differs = differs || host != found;
    }
    if (!found.empty() && !differs) return found;
    return fail(
        ErrorKind::kUnsupported,
        file.shown() + (differs ? ": has samples of several hosts" : ": has no host") +
            ", by its label '" + host_label_ +
            "'; \xFF{normalize} host needs one for each input, and \xFF{host-label} names the "
            "label");
  }

  const MergeRequest& request_;
  const std::string host_label_;
  const LabelKeys allowed_labels_;
};

// Why nothing is left.
Failure no_stacks_left(uint64_t inputs, const Diagnostics& diagnostics, const MergePlan& plan,
                       const MergeRequest& request) {
  if (inputs == 0)
    return fail(ErrorKind::kEmpty, "no input is a stack profile" + name_unreadable(diagnostics));
  if (!request.builds.empty())
    return fail(ErrorKind::kEmpty,
                "no input has samples of the builds that \xFF{build-id} names; 'pgo show' lists "
                "the builds of a profile");
  return fail(ErrorKind::kEmpty,
              explain_by_weight(plan).value_or(
                  "no sample of the inputs has a value: were the programs idle?"));
}

// What `profile` counts, without its samples.
StackProfile types_of(const StackProfile& profile) {
  StackProfile types;
  auto copy = [&](const ValueType& type) {
    return ValueType{types.strings.add(profile.text(type.type)),
                     types.strings.add(profile.text(type.unit))};
  };
  for (const ValueType& type : profile.sample_types) types.sample_types.push_back(copy(type));
  types.period_type = copy(profile.period_type);
  types.normalize();
  return types;
}

// A shard that has no inputs counts what the other shards count, as all are merged in the end: what
// the first of their inputs does that can be read. Nothing when there is none.
Result<std::optional<StackProfile>> types_of_other_shards(const StackKind& kind,
                                                          const MergePlan& plan) {
  MergePlan others{.files = plan.of_other_shards, .of_other_shards = {}, .weights = {}};
  const ProgressFn progress;
  MergeInputs inputs(others, 1, progress);
  for (size_t i = 0; i < inputs.size(); i++) {
    Diagnostics reported_by_their_shard;
    using Read = Result<std::optional<StackProfile>>;
    PGO_TRY(std::optional<StackProfile> profile,
            inputs.with_input(i, reported_by_their_shard, [&](const InputBytes& bytes) -> Read {
              return kind.read(inputs, i, bytes, reported_by_their_shard);
            }));
    if (profile) return std::optional(types_of(*profile));
  }
  return std::optional<StackProfile>();
}

}  // namespace

Result<MergeResult> merge_stacks(const MergePlan& plan, const MergeRequest& request) {
  const StackKind kind(request);
  PGO_TRY(auto merged, Merging(kind, plan, request, request.jobs).run());
  MergeResult result;
  result.inputs = merged.inputs;
  result.diagnostics = std::move(merged.diagnostics);
  StackProfile profile = std::move(merged.sum.merger).finish(result.diagnostics);
  // Not of a shard: the values of all shards together may be too many, and are so to be left out of
  // all.
  if (!request.shard)
    limit_label_values(profile, {.allowed = request.allowed_labels}, result.diagnostics);
  warn_of_periods(profile, merged.sum.shortest_period, result.diagnostics);
  if (request.shard && result.inputs == 0) {
    PGO_TRY(std::optional<StackProfile> types, types_of_other_shards(kind, plan));
    if (!types) return no_stacks_left(result.inputs, result.diagnostics, plan, request);
    profile = *std::move(types);
  }
  if (profile.samples.empty() && !request.shard)
    return no_stacks_left(result.inputs, result.diagnostics, plan, request);

  for (const OutputSpec& output : request.outputs) {
    PGO_TRY(std::string contents, write_stacks(profile, output.format, result.diagnostics));
    result.outputs.push_back({output.path, std::move(contents)});
  }
  result.builds = list_builds(profile);
  result.merged = MergedStacks{.samples = profile.samples.size(),
                               .duration_ns = profile.duration,
                               .totals = totals_of(profile)};
  return result;
}

}  // namespace pgo
