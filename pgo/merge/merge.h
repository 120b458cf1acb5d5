// merge(): profiles of many hosts, or of many minutes, into one: stack profiles, address profiles,
// or LLVM sample profiles.
//
//   MergeRequest request;
//   request.inputs = {"profiles/"};
//   request.outputs = {{Format::kPprof, "merged.pb.gz"}};
//   PGO_TRY(MergeResult result, merge(request));
//   result.outputs[0].contents      what belongs in merged.pb.gz
//
// The outputs decide which kind is merged. The order of the inputs and the number of threads never
// change a byte of the result. Nothing is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "converters/format.h"
#include "pgo/base/build_id.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/convert/output_plan.h"
#include "pgo/merge/shard.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/build_shares.h"
#include "pgo/profile/label_limits.h"
#include "pgo/profile/label_rules.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/profile/weight.h"
#include "pgo/source/input_files.h"

namespace pgo {

// What inputs are made equal in before they are added: how long they were recorded, how much they
// count, or how much all inputs of their host count.
enum class Normalization { kNone, kDuration, kSamples, kHost };

struct InputWeight {
  std::string input;  // a file, glob or directory
  Weight weight;
  std::string asked_by;  // for messages: "\xFF{weight} eu/=3/2"
};

struct MergeRequest {
  std::vector<std::string> inputs;  // files, directories, globs, @LISTs, "-"
  std::vector<InputFile> files;     // or the files themselves, of whoever has found them already
  std::vector<OutputSpec> outputs;  // one at least; all of one kind
  // What else the caller is going to write, a report say: it must be no input, and no output.
  std::vector<PlannedFile> other_files;
  std::vector<InputWeight> weights;  // 1 for other inputs
  Normalization normalization = Normalization::kNone;
  // The label whose text is the host, for Normalization::kHost; none given: kHostLabel.
  std::optional<std::string> host_label;
  // Reads only the inputs of this shard. Its output, which may be empty, is there to be merged with
  // those of the others. Not together with a normalization or with fractions as weights.
  std::optional<Shard> shard;
  std::vector<std::string> sample_types;  // of stack profiles; none: all
  std::vector<BuildId> builds;            // keep only samples of these; none: all
  LabelRules labels;                      // of stack profiles
  // Of stack profiles, too: labels that stay although they may name users or have many values
  // (label_limits.h), and what is taken off the paths of source files.
  LabelKeys allowed_labels;
  std::vector<std::string> trimmed_paths;
  unsigned jobs = 0;  // threads; 0: all cores
  ProgressFn progress;

  static constexpr const char* kHostLabel = "host";
};

// One output, complete.
struct MergedOutput {
  std::string path;
  std::string contents;
};

struct MergedStacks {
  uint64_t samples = 0;  // different ones
  int64_t duration_ns = 0;
  std::vector<SampleTotal> totals;  // by sample type
};

struct MergedAddresses {
  uint64_t rows = 0;       // different traces and PC samples
  AddressProfile figures;  // accounting, events and lost records; without its binaries
};

struct MergedLlvmSamples {
  uint64_t functions = 0;
  bool is_probe_based = false;
};

struct MergeResult {
  std::vector<MergedOutput> outputs;  // in the order of the request
  uint64_t inputs = 0;                // that were merged; skipped ones do not count
  std::optional<Shard> shard;         // of the request
  uint64_t inputs_of_all_shards = 0;  // files, whatever they are; of a shard only
  std::variant<MergedStacks, MergedAddresses, MergedLlvmSamples> merged;
  std::vector<BuildShare> builds;  // by count, the largest first; none of LLVM sample profiles
  Diagnostics diagnostics;
};

// Files that were only found in a directory and are of another kind are skipped with a warning.
// Errors: kUsage for a request that contradicts itself or would overwrite an input; that of the
// first file, by path, which cannot be read; kMismatch for profiles that count different things;
// kUnsupported for what cannot be normalized; kEmpty when nothing is left, but for shards.
Result<MergeResult> merge(const MergeRequest& request);

}  // namespace pgo
