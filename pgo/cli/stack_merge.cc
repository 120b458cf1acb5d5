#include "pgo/cli/stack_merge.h"

#include <malloc.h>

#include <atomic>
#include <charconv>
#include <optional>

#include "pgo/base/mapped_file.h"
#include "pgo/base/parallel.h"
#include "pgo/cli/progress.h"
#include "pgo/cli/stack_input.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

__extension__ using WideTotal = unsigned __int128;

// What an input counts, for normalization.
struct InputTotals {
  std::optional<Error> error;
  bool skipped = false;
  int64_t duration = 0;
  std::string host;
  std::vector<uint64_t> totals;  // of each sample type
};

// What one thread has merged.
struct Worker {
  StackMerger merger;
  Diagnostics diagnostics;
};

// Factors for one input: one, or one for each sample type.
using Factors = std::vector<MergeFactor>;

class Merging {
 public:
  Merging(const std::vector<InputFile>& files, const StackMergeOptions& options)
      : files_(files), options_(options), standard_input_(files.size()) {}

  Result<StackMerge> run() {
    PGO_TRY(std::vector<Factors> factors, find_factors());
    std::vector<Worker> workers(worker_count());
    std::vector<std::optional<Error>> errors(files_.size());
    std::atomic<uint64_t> merged = 0;
    each_file("merging", [&](size_t worker, size_t file) {
      Diagnostics& diagnostics = workers[worker].diagnostics;
      Result<std::optional<StackProfile>> profile = read(file, diagnostics);
      if (profile && !*profile) return;
      Result<void> done = profile ? workers[worker].merger.add(**profile, files_[file].path,
                                                               factors[file], options_.labels)
                                  : Result<void>(std::move(profile).failure());
      if (!done)
        errors[file] = done.error();
      else
        merged++;
    });
    PGO_CHECK(first_error(errors));
    return finish(workers, merged);
  }

 private:
  size_t worker_count() const {
    return std::min<size_t>(resolve_jobs(options_.jobs), files_.size());
  }

  // Calls work(worker, file) for each file; workers do not run at the same time as themselves.
  template <typename Work>
  void each_file(const char* what, const Work& work) {
    Progress progress(what, files_.size(), "profiles");
    std::atomic<size_t> next{0};
    size_t workers = worker_count();
    parallel_for(workers, options_.jobs, [&](size_t worker) {
      for (size_t file = next++; file < files_.size(); file = next++) {
        work(worker, file);
        if (worker == 0) progress.update(file);
      }
    });
  }

  static Result<void> first_error(const std::vector<std::optional<Error>>& errors) {
    for (const std::optional<Error>& error : errors)
      if (error) return fail(error->kind, error->message);
    return ok();
  }

  // Nothing when the file is to be passed over.
  Result<std::optional<StackProfile>> read(size_t file, Diagnostics& diagnostics) {
    const InputFile& input = files_[file];
    if (const std::optional<MappedFile>& kept = standard_input_[file])
      return read(input, kept->bytes(), diagnostics);
    PGO_TRY(MappedFile mapped, MappedFile::open(input.path));
    Result<std::optional<StackProfile>> profile = read(input, mapped.bytes(), diagnostics);
    if (input.path == "-") standard_input_[file] = std::move(mapped);
    return profile;
  }

  Result<std::optional<StackProfile>> read(const InputFile& input, Bytes bytes,
                                           Diagnostics& diagnostics) const {
    if (input.named_before)
      diagnostics.warn("named-twice", input.path + ": is named twice and counts twice");
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
    StackProfile& profile = *found;
    if (!options_.sample_types.empty())
      PGO_CHECK(select_sample_types(profile, options_.sample_types, input.path));
    if (!options_.builds.empty()) select_builds(profile, options_.builds);
    return found;
  }

  Result<StackMerge> finish(std::vector<Worker>& workers, uint64_t merged) {
    StackMerge result;
    result.inputs = merged;
    result.diagnostics = std::move(workers[0].diagnostics);
    for (size_t i = 1; i < workers.size(); i++) {
      PGO_CHECK(workers[0].merger.add(std::move(workers[i].merger)));
      result.diagnostics.add(workers[i].diagnostics);
    }
    result.profile = std::move(workers[0].merger).finish();
    if (!result.profile.samples.empty()) return result;
    return fail(ErrorKind::kEmpty,
                merged == 0 ? "no input is a profile of stacks"
                : options_.builds.empty()
                    ? "no sample of the inputs has a value: were the programs idle?"
                    : "no sample is of the builds that --build-id names; 'pgo show' lists those of "
                      "a profile");
  }

  // The weight of each input, times what makes it equal to the others.
  Result<std::vector<Factors>> find_factors() {
    std::vector<InputTotals> inputs;
    if (options_.normalization != Normalization::kNone) {
      PGO_TRY(inputs, read_totals());
    }
    std::vector<Factors> factors(files_.size());
    for (size_t i = 0; i < files_.size(); i++) {
      Weight weight = weight_of(i);
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
      Weight weight = weight_of(i);
      WideTotal has = std::max<WideTotal>(group(i), 1);
      factors[i].resize(type + 1);
      factors[i][type] =
          MergeFactor::of(weight.numerator * sum, weight.denominator * groups.size() * has);
    }
  }

  Result<std::vector<InputTotals>> read_totals() {
    std::vector<InputTotals> inputs(files_.size());
    each_file("measuring", [&](size_t, size_t file) {
      Diagnostics told_later;
      Result<std::optional<StackProfile>> profile = read(file, told_later);
      InputTotals& input = inputs[file];
      if (!profile)
        input.error = profile.error();
      else if (!*profile)
        input.skipped = true;
      else
        measure(**profile, files_[file].path, input);
    });
    for (const InputTotals& input : inputs)
      if (input.error) return fail(input.error->kind, input.error->message);
    return inputs;
  }

  void measure(const StackProfile& profile, const std::string& path, InputTotals& input) const {
    input.duration = profile.duration;
    for (size_t type = 0; type < profile.sample_types.size(); type++)
      input.totals.push_back(static_cast<uint64_t>(std::max<int64_t>(total_of(profile, type), 0)));
    if (options_.normalization == Normalization::kDuration && profile.duration <= 0)
      input.error = Error{ErrorKind::kUnsupported,
                          path +
                              ": does not say how long it was recorded, so that --normalize "
                              "duration cannot use it; --normalize samples can"};
    if (options_.normalization == Normalization::kHost) find_host(profile, path, input);
  }

  // The one value that the host label has in a profile.
  void find_host(const StackProfile& profile, const std::string& path, InputTotals& input) const {
    bool differs = false;
    for (const StackSample& sample : profile.samples) {
      std::string host;
      for (const StackLabel& label : profile.labels[static_cast<size_t>(sample.labels)])
        if (profile.text(label.key) == options_.host_label) host = profile.text(label.text);
      if (input.host.empty()) input.host = host;
      differs = differs || host != input.host;
    }
    if (input.host.empty() || differs)
      input.error = Error{
          ErrorKind::kUnsupported,
          path + (differs ? ": has samples of several hosts" : ": has no host") +
              ", by its label '" + options_.host_label +
              "'; --normalize host needs one for each input, and --host-label names the label"};
  }

  Weight weight_of(size_t file) const {
    auto found = options_.weights.find(files_[file].path);
    return found == options_.weights.end() ? Weight() : found->second;
  }

  const std::vector<InputFile>& files_;
  const StackMergeOptions& options_;
  std::vector<std::optional<MappedFile>> standard_input_;  // kept for the second pass
};

// Digits; at most kMostInWeight, so that no product with one wraps round.
constexpr uint64_t kMostInWeight = 1'000'000;

std::optional<uint64_t> parse_whole(std::string_view text) {
  uint64_t value = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value > kMostInWeight)
    return std::nullopt;
  return value;
}

}  // namespace

Result<Weight> parse_weight(const std::string& text) {
  std::string_view rest = text;
  size_t sign = std::min(rest.find_first_of("/."), rest.size());
  std::optional<uint64_t> first = parse_whole(rest.substr(0, sign)), second = 1;
  if (sign < rest.size()) second = parse_whole(rest.substr(sign + 1));
  std::optional<Weight> weight;
  if (first && second && sign < rest.size() && rest[sign] == '.') {
    uint64_t scale = 1;
    for (size_t i = sign + 1; i < rest.size() && scale < kMostInWeight; i++) scale *= 10;
    if (rest.size() - sign - 1 <= 6 && *first < kMostInWeight / scale)
      weight = Weight{*first * scale + *second, scale};
  } else if (first && second && *second > 0) {
    weight = Weight{*first, *second};
  }
  if (weight) return *weight;
  return fail(ErrorKind::kUsage,
              "'" + text +
                  "' is no weight: a number such as 3, 0.25 or 3/2 is expected, of up to "
                  "1000000 parts");
}

Result<StackMerge> merge_stack_profiles(const std::vector<InputFile>& files,
                                        const StackMergeOptions& options) {
  // What one profile took is for the next one, and not given back to the system in between: that
  // would be a fault for each page of each profile.
  constexpr int kKept = 2 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  ::mallopt(M_MMAP_THRESHOLD, kKept);
  return Merging(files, options).run();
}

}  // namespace pgo
