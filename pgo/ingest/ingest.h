// From input files to one AddressProfile, all of them added up; or, when they have nothing better,
// to symbolized samples, which name functions and lines instead of addresses.
//
//   PGO_TRY(std::vector<InputFile> files, find_input_files({"hosts/"}));
//   PGO_TRY(IngestResult input, ingest({files, {}, {}}, binaries));
//   input.profile.binaries     counts of each binary that was asked for
#pragma once

#include <string>
#include <vector>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/binary/binary_set.h"
#include "pgo/ingest/recorded_images.h"
#include "pgo/ingest/symbolized_samples.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/quality.h"
#include "pgo/source/input_files.h"

namespace pgo {

struct IngestRequest {
  std::vector<InputFile> files;
  // Which samples count, and on how many threads they are read. For stack profiles `event` is the
  // sample type.
  perf_data::ReadOptions read;
  ProgressFn progress;
};

// An input without a trace, and why it gave none.
struct UnusedInput {
  std::string path, reason;
  auto operator<=>(const UnusedInput&) const = default;
};

struct IngestResult {
  AddressProfile profile;  // normalized
  // When there is nothing better; its samples are accounted in `profile`.
  SymbolizedInput symbolized;
  RecordedImages images;
  // Pre-aggregated traces do not say how many samples they are of, nor whether they were inferred.
  bool has_preaggregated_traces = false;
  // Did a stack profile name a binary without a build ID that was then assumed?
  bool has_assumed_build_ids = false;
  // Sorted: why the code shows that another build was recorded than the binary that was given.
  std::vector<std::string> wrong_builds;
  std::vector<UnusedInput> unused;  // sorted
  // Inputs of PC samples only, which count together with single steps (single_steps.h), and why
  // they would not count otherwise.
  std::vector<UnusedInput> beside_steps;
  // Of recordings that do not say when they were made: when their files were last changed. No
  // output has it, because a copy of a file may have another time.
  Origins modified;

  // What the traces of `profile` rest on; not asked when it has none.
  Evidence evidence_of_branches() const {
    return has_preaggregated_traces ? Evidence::kUnknown
                                    : pgo::evidence_of_branches(profile.events);
  }
  // Drops PC samples beside branch records; of their inputs, none is used.
  void leave_out_pc_samples();
  // Do the inputs say by build ID, and nothing by name alone, that this build ran?
  bool proves_build(const BuildId& id) const;
};

// Reads recordings, address profiles, pprof and gperftools profiles, and pre-aggregated traces. The
// order of the files does not matter. Many inputs are read side by side, a single or a huge one by
// all threads (reading_order.h); memory is bounded by the sum of the profiles of as many inputs as
// there are threads and the merged result. Branch records count before PC samples, but for those of
// single steps (single_steps.h), and these before symbolized samples. Errors: that of the first
// file that cannot be read; kInput when none of the files is of use.
Result<IngestResult> ingest(const IngestRequest& request, const BinarySet& binaries);

}  // namespace pgo
