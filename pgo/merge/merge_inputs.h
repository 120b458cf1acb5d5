// The files that merge() reads: on all cores, twice where their totals are measured first, each
// with its weight.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/parallel.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/merge/merge.h"
#include "pgo/source/duplicate_files.h"
#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"

namespace pgo {

// The files to merge, and the weights of those that have one, by path.
struct MergePlan {
  std::vector<InputFile> files;
  std::vector<InputFile> of_other_shards;
  std::map<std::string, Weight> weights;
};

// For an error when all counts are 0: a weight below 1 that may be why, given for an input or in a
// bundle. Or nothing.
std::optional<std::string> explain_by_weight(const MergePlan& plan);

// For kinds that only take whole weights: a number for each file, with the ratios that weights and
// bundles ask for. Errors: kUsage for a given weight that is none; kUnsupported when the numbers
// would be above 2^40.
Result<std::map<std::string, uint64_t>> whole_multiples(const MergePlan& plan);

class MergeInputs {
 public:
  // `jobs`: threads; 0: all cores.
  MergeInputs(const MergePlan& plan, unsigned jobs, const ProgressFn& progress)
      : plan_(plan),
        jobs_(jobs),
        progress_(progress),
        standard_input_(plan.files.size()),
        duplicates_(plan.files) {}

  size_t size() const { return plan_.files.size(); }
  const InputFile& operator[](size_t file) const { return plan_.files[file]; }
  Weight weight_of(size_t file) const;
  // Of a file that was found in a directory. `kind`: "an address profile".
  void warn_of_other_kind(size_t file, const char* kind, Diagnostics& diagnostics) const;
  // Of each file that counts, while it is read; warns of those that count twice.
  DuplicateFiles& duplicates() { return duplicates_; }
  size_t worker_count() const;

  // read(input) of a file: a Result<std::optional<T>>, which is nothing when the file is skipped,
  // as skip_if_found() decides too. Standard input is kept for the next time.
  template <typename Read>
  auto with_input(size_t file, Diagnostics& diagnostics, const Read& read)
      -> decltype(read(std::declval<const InputBytes&>())) {
    using Answer = decltype(read(std::declval<const InputBytes&>()));
    if (const std::optional<InputBytes>& kept = standard_input_[file]) return read(*kept);
    Result<InputBytes> input = InputBytes::open(plan_.files[file].path, plan_.files[file].shown());
    Answer result = input ? read(*input) : Answer(Failure{input.error()});
    if (!result && skip_if_found(plan_.files[file], result.error(), diagnostics))
      return std::remove_cvref_t<decltype(*result)>();
    if (input && plan_.files[file].path == "-") standard_input_[file] = *std::move(input);
    return result;
  }

  // Calls work(worker, file) for each file; workers do not run at the same time as themselves.
  // `work` returns a Result<void>. Error: that of the first file, by path, which has one.
  template <typename Work>
  Result<void> each_file(const char* what, const Work& work) {
    std::atomic<size_t> next{0};
    std::vector<std::optional<Error>> errors(plan_.files.size());
    parallel_for(worker_count(), jobs_, [&](size_t worker) {
      for (size_t file = next++; file < plan_.files.size(); file = next++) {
        Result<void> done = work(worker, file);
        if (!done) errors[file] = done.error();
        if (worker == 0) report_progress(progress_, {what, file, plan_.files.size(), "profiles"});
      }
    });
    for (const std::optional<Error>& error : errors)
      if (error) return fail(*error);
    return ok();
  }

 private:
  const MergePlan& plan_;
  unsigned jobs_;
  const ProgressFn& progress_;
  std::vector<std::optional<InputBytes>> standard_input_;
  DuplicateFiles duplicates_;
};

}  // namespace pgo
