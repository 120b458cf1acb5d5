// Merging: reads all inputs, twice when they are normalized, and adds them up on several threads.
// A thread adds what it reads to a sum of its own; in the end the sums are added. Memory is that of
// a merged profile for each thread.
//
// `Kind` says how:
//   Profile                                     of one input
//   Sum                                         of several
//   read(inputs, file, bytes, diagnostics)      Result<std::optional<Profile>>; nothing: skipped
//   measure(profile, file)                      Result<MeasuredInput>, for normalization
//   add(profile, path, weight, factors, sum)    Result<void>
//   join(other, sum)                            Result<void>
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pgo/merge/merge.h"
#include "pgo/merge/merge_inputs.h"
#include "pgo/merge/normalization.h"

namespace pgo {

template <typename Sum>
struct Merged {
  Sum sum = {};
  uint64_t inputs = 0;
  Diagnostics diagnostics = {};
};

template <typename Kind>
class Merging {
 public:
  Merging(const Kind& kind, const MergePlan& plan, const MergeRequest& request, unsigned jobs)
      : kind_(kind),
        inputs_(plan, jobs, request.progress),
        is_normalized_(request.normalization != Normalization::kNone) {}

  Result<Merged<typename Kind::Sum>> run() {
    std::vector<Weight> weights;
    std::vector<RelativeWeight> in_bundles;
    for (size_t i = 0; i < inputs_.size(); i++) {
      weights.push_back(inputs_.weight_of(i));
      in_bundles.push_back(inputs_[i].weight);
    }
    PGO_TRY(std::vector<MeasuredInput> measured, measure());
    const std::vector<MergeFactors> factors = find_factors(weights, measured, in_bundles);

    std::vector<Merged<typename Kind::Sum>> workers(inputs_.worker_count());
    PGO_CHECK(inputs_.each_file("merging", [&](size_t worker, size_t file) -> Result<void> {
      Merged<typename Kind::Sum>& mine = workers[worker];
      PGO_TRY(std::optional<typename Kind::Profile> profile, read(file, mine.diagnostics));
      if (!profile) return ok();
      mine.inputs++;
      return kind_.add(*std::move(profile), inputs_[file].shown(), weights[file], factors[file],
                       mine.sum);
    }));

    Merged<typename Kind::Sum>& all = workers[0];
    for (size_t i = 1; i < workers.size(); i++) {
      PGO_CHECK(kind_.join(std::move(workers[i].sum), all.sum));
      all.inputs += workers[i].inputs;
      all.diagnostics.add(workers[i].diagnostics);
    }
    inputs_.duplicates().warn(all.diagnostics);
    return std::move(all);
  }

 private:
  Result<std::optional<typename Kind::Profile>> read(size_t file, Diagnostics& diagnostics) {
    using Profile = std::optional<typename Kind::Profile>;
    return inputs_.with_input(file, diagnostics, [&](const InputBytes& bytes) -> Result<Profile> {
      PGO_CHECK(check_digest(inputs_[file], bytes.file()));
      return kind_.read(inputs_, file, bytes, diagnostics);
    });
  }

  // Nothing when weights alone count.
  Result<std::vector<MeasuredInput>> measure() {
    std::vector<MeasuredInput> measured;
    if (!is_normalized_) return measured;
    measured.resize(inputs_.size());
    PGO_CHECK(inputs_.each_file("measuring", [&](size_t, size_t file) -> Result<void> {
      Diagnostics reported_when_merging;
      PGO_TRY(std::optional<typename Kind::Profile> profile, read(file, reported_when_merging));
      if (!profile) return ok();
      PGO_TRY(measured[file], kind_.measure(*profile, inputs_[file]));
      return ok();
    }));
    return measured;
  }

  const Kind& kind_;
  MergeInputs inputs_;
  const bool is_normalized_;
};

}  // namespace pgo
