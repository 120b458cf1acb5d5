// The files that `pgo merge` reads: on all cores, twice where their totals are measured first, each
// with its weight.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/mapped_file.h"
#include "pgo/base/parallel.h"
#include "pgo/base/result.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/progress.h"

namespace pgo {

struct Weight {
  uint64_t numerator = 1, denominator = 1;
  bool operator==(const Weight&) const = default;
};

// "3", "0.5" or "3/2"; more than 0. Error: kUsage.
Result<Weight> parse_weight(const std::string& text);

// For an error when all counts are 0: a weight below 1, by path of its input, that may be why. Or
// nothing.
std::optional<std::string> explain_by_weight(const std::map<std::string, Weight>& weights);

class MergeInputs {
 public:
  // `weights` are by path of an input; 1 for others. `jobs`: threads; 0: all cores.
  MergeInputs(const std::vector<InputFile>& files, const std::map<std::string, Weight>& weights,
              unsigned jobs)
      : files_(files), weights_(weights), jobs_(jobs), standard_input_(files.size()) {}

  size_t size() const { return files_.size(); }
  const InputFile& operator[](size_t file) const { return files_[file]; }
  Weight weight_of(size_t file) const;
  size_t worker_count() const;

  // read(bytes) of a file: a Result<std::optional<T>>, which is nothing when the file is passed
  // over, as pass_over() says too. Standard input is kept for the next time.
  template <typename Read>
  auto with_bytes(size_t file, Diagnostics& diagnostics, const Read& read)
      -> decltype(read(Bytes())) {
    using Answer = decltype(read(Bytes()));
    if (const std::optional<MappedFile>& kept = standard_input_[file]) return read(kept->bytes());
    Result<MappedFile> mapped = MappedFile::open(files_[file].path);
    Answer result = mapped ? read(mapped->bytes()) : Answer(Failure{mapped.error()});
    if (!result && pass_over(files_[file], result.error(), diagnostics))
      return std::remove_cvref_t<decltype(*result)>();
    if (mapped && files_[file].path == "-") standard_input_[file] = *std::move(mapped);
    return result;
  }

  // Calls work(worker, file) for each file; workers do not run at the same time as themselves.
  // `work` returns a Result<void>. Error: that of the first file, by path, which has one.
  template <typename Work>
  Result<void> each_file(const char* what, const Work& work) {
    Progress progress(what, files_.size(), "profiles");
    std::atomic<size_t> next{0};
    std::vector<std::optional<Error>> errors(files_.size());
    parallel_for(worker_count(), jobs_, [&](size_t worker) {
      for (size_t file = next++; file < files_.size(); file = next++) {
        Result<void> done = work(worker, file);
        if (!done) errors[file] = done.error();
        if (worker == 0) progress.update(file);
      }
    });
    for (const std::optional<Error>& error : errors)
      if (error) return fail(error->kind, error->message);
    return ok();
  }

 private:
  const std::vector<InputFile>& files_;
  const std::map<std::string, Weight>& weights_;
  unsigned jobs_;
  std::vector<std::optional<MappedFile>> standard_input_;
};

}  // namespace pgo
