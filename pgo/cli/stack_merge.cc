#include "pgo/cli/stack_merge.h"

#include <malloc.h>

#include <algorithm>
#include <optional>

#include "pgo/cli/stack_input.h"
#include "pgo/profile/sample_column.h"
#include "pgo/profile/stack_merger.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

__extension__ using WideTotal = unsigned __int128;

// What an input counts, for normalization.
struct InputTotals {
  int64_t duration = 0;
  std::string host;
  std::vector<uint64_t> totals;  // of each sample type
};

// What one thread has merged.
struct Worker {
  StackMerger merger;
  Diagnostics diagnostics;
  uint64_t merged = 0;
  int64_t shortest_period = 0;  // of those that say one
};

// The shorter of two periods that may be missing.
int64_t shorter(int64_t a, int64_t b) { return a <= 0 ? b : b <= 0 ? a : std::min(a, b); }

// A merged profile has one period, and of samples of several ones their time is lost, unless it is
// counted, too, as pgo convert wants it.
void warn_of_periods(const StackProfile& merged, int64_t shortest, Diagnostics& diagnostics) {
  if (shortest <= 0 || shortest >= merged.period) return;
  Diagnostics told_by_convert;
  Result<SampleColumn> column = choose_sample_column(merged, "", "", told_by_convert);
  if (!column || column->time) return;
  std::string_view unit = merged.text(merged.period_type.unit);
  diagnostics.warn("several-periods",
                   "the profiles have periods of " + std::to_string(shortest) + " to " +
                       std::to_string(merged.period) + " " + std::string(unit) +
                       ", and what they count does not tell them apart any more: their samples "
                       "count alike; pgo convert weighs them when they are not merged");
}

// Factors for one input: one, or one for each sample type.
using Factors = std::vector<MergeFactor>;

class Merging {
 public:
  Merging(const std::vector<InputFile>& files, const MergeOptions& options)
      : inputs_(files, options.weights, options.jobs), options_(options) {}

  Result<StackMerge> run() {
    PGO_TRY(std::vector<Factors> factors, find_factors());
    std::vector<Worker> workers(inputs_.worker_count());
    PGO_CHECK(inputs_.each_file("merging", [&](size_t worker, size_t file) -> Result<void> {
      Worker& mine = workers[worker];
      PGO_TRY(std::optional<StackProfile> profile, read(file, mine.diagnostics));
      if (!profile) return ok();
      mine.merged++;
      mine.shortest_period = shorter(mine.shortest_period, profile->period);
      return mine.merger.add(*profile, inputs_[file].path, factors[file], options_.labels);
    }));
    return finish(workers);
  }

 private:
  // Nothing when the file is to be passed over.
  Result<std::optional<StackProfile>> read(size_t file, Diagnostics& diagnostics) {
    return inputs_.with_bytes(file, diagnostics,
                              [&](Bytes bytes) { return read(inputs_[file], bytes, diagnostics); });
  }

  Result<std::optional<StackProfile>> read(const InputFile& input, Bytes bytes,
                                           Diagnostics& diagnostics) const {
    std::optional<StackProfile> found;
    if (input.from_directory) {
      PGO_TRY(found, try_stack_profile(bytes, input.path, diagnostics));
    } else {
      PGO_TRY(found, read_stack_profile(bytes, input.path, diagnostics));
    }
    if (!found) {
      diagnostics.warn("not-a-profile",
                       input.path + ": is no profile of stacks and was passed over");
      return std::optional<StackProfile>();
    }
    warn_if_repeated(input, diagnostics);
    StackProfile& profile = *found;
    if (!options_.sample_types.empty())
      PGO_CHECK(select_sample_types(profile, options_.sample_types, input.path));
    if (!options_.builds.empty()) select_builds(profile, options_.builds);
    return found;
  }

  Result<StackMerge> finish(std::vector<Worker>& workers) {
    StackMerge result;
    for (size_t i = 0; i < workers.size(); i++) {
      if (i > 0) PGO_CHECK(workers[0].merger.add(std::move(workers[i].merger)));
      result.inputs += workers[i].merged;
      result.diagnostics.add(workers[i].diagnostics);
      workers[0].shortest_period = shorter(workers[0].shortest_period, workers[i].shortest_period);
    }
    result.profile = std::move(workers[0].merger).finish();
    warn_of_periods(result.profile, workers[0].shortest_period, result.diagnostics);
    if (!result.profile.samples.empty()) return result;
    return fail(ErrorKind::kEmpty,
                result.inputs == 0
                    ? "no input is a profile of stacks" + name_unreadable(result.diagnostics)
                : options_.builds.empty()
                    ? explain_by_weight(options_.weights)
                          .value_or("no sample of the inputs has a value: were the programs idle?")
                    : "no sample is of the builds that --build-id names; 'pgo show' lists those of "
                      "a profile");
  }

  // The weight of each input, times what makes it equal to the others.
  Result<std::vector<Factors>> find_factors() {
    std::vector<InputTotals> inputs;
    if (options_.normalization != Normalization::kNone) {
      PGO_TRY(inputs, read_totals());
    }
    std::vector<Factors> factors(inputs_.size());
    for (size_t i = 0; i < inputs_.size(); i++) {
      Weight weight = inputs_.weight_of(i);
      factors[i] = {MergeFactor::of(weight.numerator, weight.denominator)};
    }
    size_t types = 0;
    for (const InputTotals& input : inputs) types = std::max(types, input.totals.size());
    for (size_t type = 0; type < types; type++) equalize(inputs, type, factors);
    return factors;
  }

  // Each input, or each host, is to have what all of them have on average.
  void equalize(const std::vector<InputTotals>& inputs, size_t type,
                std::vector<Factors>& factors) const {
    std::map<std::string, WideTotal> groups;
    auto group = [&](size_t i) -> WideTotal& {
      bool by_host = options_.normalization == Normalization::kHost;
      return groups[by_host ? inputs[i].host : std::to_string(i)];
    };
    WideTotal sum = 0;
    for (size_t i = 0; i < inputs.size(); i++) {
      if (type >= inputs[i].totals.size()) continue;
      bool by_duration = options_.normalization == Normalization::kDuration;
      WideTotal has =
          by_duration ? static_cast<uint64_t>(inputs[i].duration) : inputs[i].totals[type];
      group(i) += has;
      sum += has;
    }
    for (size_t i = 0; i < inputs.size(); i++) {
      if (type >= inputs[i].totals.size()) continue;
      Weight weight = inputs_.weight_of(i);
      WideTotal has = std::max<WideTotal>(group(i), 1);
      factors[i].resize(type + 1);
      factors[i][type] =
          MergeFactor::of(weight.numerator * sum, weight.denominator * groups.size() * has);
    }
  }

  Result<std::vector<InputTotals>> read_totals() {
    std::vector<InputTotals> totals(inputs_.size());
    PGO_CHECK(inputs_.each_file("measuring", [&](size_t, size_t file) -> Result<void> {
      Diagnostics told_later;
      PGO_TRY(std::optional<StackProfile> profile, read(file, told_later));
      if (!profile) return ok();
      return measure(*profile, inputs_[file].path, totals[file]);
    }));
    return totals;
  }

  Result<void> measure(const StackProfile& profile, const std::string& path,
                       InputTotals& input) const {
    input.duration = profile.duration;
    for (size_t type = 0; type < profile.sample_types.size(); type++)
      input.totals.push_back(static_cast<uint64_t>(std::max<int64_t>(total_of(profile, type), 0)));
    if (options_.normalization == Normalization::kDuration && profile.duration <= 0)
      return fail(ErrorKind::kUnsupported,
                  path +
                      ": does not say how long it was recorded, so that --normalize duration "
                      "cannot use it; --normalize samples can");
    if (options_.normalization != Normalization::kHost) return ok();
    return find_host(profile, path, input);
  }

  // The one value that the host label has in a profile.
  Result<void> find_host(const StackProfile& profile, const std::string& path,
                         InputTotals& input) const {
    bool differs = false;
    for (const StackSample& sample : profile.samples) {
      std::string host;
      for (const StackLabel& label : profile.labels[static_cast<size_t>(sample.labels)])
        if (profile.text(label.key) == options_.host_label) host = profile.text(label.text);
      if (input.host.empty()) input.host = host;
      differs = differs || host != input.host;
    }
    if (!input.host.empty() && !differs) return ok();
    return fail(ErrorKind::kUnsupported,
                path + (differs ? ": has samples of several hosts" : ": has no host") +
                    ", by its label '" + options_.host_label +
                    "'; --normalize host needs one for each input, and --host-label names the "
                    "label");
  }

  MergeInputs inputs_;
  const MergeOptions& options_;
};

}  // namespace

Result<StackMerge> merge_stack_profiles(const std::vector<InputFile>& files,
                                        const MergeOptions& options) {
  // What one profile took is for the next one, and not given back to the system in between: that
  // would be a fault for each page of each profile.
  constexpr int kKept = 2 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  ::mallopt(M_MMAP_THRESHOLD, kKept);
  return Merging(files, options).run();
}

}  // namespace pgo
