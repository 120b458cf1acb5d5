// convert(): recordings and other inputs into profiles for clang, GCC and BOLT, or into address
// profiles.
//
//   ConvertRequest request;
//   request.inputs = {"recordings/"};
//   request.binaries = {"./server"};
//   request.outputs = {{Format::kLlvm, "server.prof"}};
//   PGO_TRY(ConvertResult result, convert(request));
//   result.outputs[0].contents      what belongs in server.prof
//
// Nothing is written: the caller has every output in memory before the first file changes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bolt/perf2bolt.h"
#include "converters/format.h"
#include "converters/perf_data/perf_data_reader.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/binary/binary_set.h"
#include "pgo/convert/moved_counts.h"
#include "pgo/convert/output_plan.h"
#include "pgo/ingest/ingest.h"
#include "pgo/ingest/low_yield.h"
#include "pgo/ingest/pc_samples.h"
#include "pgo/profile/quality.h"
#include "pgo/symbolize/profile_difference.h"
#include "pgo/symbolize/source_profile.h"
#include "pgo/symbolize/symbol_lookup.h"

namespace pgo {

enum class CountBy { kProbeOrLine, kLine };

struct ConvertRequest {
  std::vector<std::string> inputs;  // files, directories, globs, @LISTs, "-"
  // The ELF files that ran, and, where BOLT wrote one, the one that BOLT read. If that is not
  // named, FILE.prebolt is used for a FILE that BOLT wrote.
  std::vector<std::string> binaries;
  DebugPlaces debug;
  // Build IDs, in hexadecimal, of the binaries that stack profiles name without one.
  std::vector<std::string> assumed_build_ids;
  std::vector<OutputSpec> outputs;  // %b in a path is the binary's file name, %i its build ID
  // What else the caller is going to write, a report say: it must be no input, and no output.
  std::vector<PlannedFile> other_files;
  perf_data::ReadOptions read;  // which samples count, by whose rules, on how many threads
  CountBy count_by = CountBy::kProbeOrLine;
  WithoutLine without_line = WithoutLine::kLeaveOut;
  std::string perf2bolt;  // the program; empty: looked for
  std::chrono::seconds timeout = kDefaultTimeout;
  // The name of a reference tool to compare the LLVM profile with (reference_tool.h); empty: none.
  std::string check_against;
  ProgressFn progress;

  bool as_llvm_profgen() const {
    return read.compatibility == perf_data::Compatibility::kLlvmProfgen;
  }
};

// One output, complete.
struct OutputFile {
  std::string path;
  std::string contents;
  // The one of ConvertResult::binaries that it is for, of what is for BOLT; nothing: for all.
  std::optional<size_t> binary = {};
  // If `binary` is set: the binary whose counts the output has. It differs from `binary` if only an
  // output of llvm-bolt ran. Nothing if several of these ran: their counts are added up.
  std::optional<size_t> counted = {};
  std::optional<Perf2boltOutput> perf2bolt = {};  // of fdata; without the profile itself
};

// What was counted of one binary.
struct ConvertedBinary {
  std::string path;
  BuildId build_id;
  size_t traces = 0;  // different ones
  // What traces were inferred from, or stored; 0 where branch records were used alone.
  uint64_t pc_samples = 0, pc_sample_weight = 0;
  uint64_t step_records = 0;  // branch records of single steps, used together with PC samples
  BuildIdentity identity = BuildIdentity::kAssumed;
  // As of all binaries together, by the same rules (ConvertResult). Of counts that were merged with
  // those of llvm-bolt's input or output, density and quality are unknown.
  Evidence evidence = Evidence::kUnknown;
  Quality quality = Quality::kUnknown;
  double density = 0;
  std::optional<double> split_half_overlap, unsampled_flow_share;
};

// What a reference tool made of the same recording.
struct ReferenceCheck {
  std::string program;
  Result<ProfileDifference> difference;  // or why the tool failed
};

struct ConvertResult {
  // The evidence and quality of an output. A BOLT profile has those of the binary whose counts it
  // has. If it adds up the counts of several, it has the evidence of the whole conversion. Its
  // quality is then that of the whole conversion if counts were inferred, and else unknown.
  Evidence evidence_of(const OutputFile& output) const {
    return output.counted ? binaries[*output.counted].evidence : evidence;
  }
  Quality quality_of(const OutputFile& output) const {
    if (output.counted) return binaries[*output.counted].quality;
    return output.binary && !inference ? Quality::kUnknown : quality;
  }

  std::vector<OutputFile> outputs;
  AddressProfile profile;  // accounting, events and diagnostics; its counts may be used up
  std::vector<ConvertedBinary> binaries;
  std::vector<UnusedInput> unused;
  std::optional<LowYield> low_yield;                        // also a warning of the profile
  Origins modified;                                         // as IngestResult has it
  std::vector<std::shared_ptr<const InputBundle>> bundles;  // that inputs are members of
  // What ran beside the binaries, as far as the inputs name it; most samples first.
  std::vector<perf_data::OtherFile> others;
  std::vector<MovedBinary>
      moved;  // recordings of BOLTed binaries whose counts went to their inputs
  Evidence evidence = Evidence::kUnknown;
  Quality quality = Quality::kUnknown;
  double density = 0;  // 0: no profile by source position was made
  std::optional<double> split_half_overlap;
  std::optional<Inference> inference;   // where counts were inferred
  std::optional<SourceProfile> source;  // where an output needed it
  std::optional<ReferenceCheck> check;  // where one was asked for
  // The names in `source` point into these. (Freeing both takes a tenth of a large conversion; a
  // program that ends anyway need not.)
  BinarySet opened;
};

// Errors: kUsage for a request that contradicts itself or would overwrite an input; kMismatch,
// kEmpty and kInput as ingest() and the converters give; kUnsupported when a tool is missing; kIo.
Result<ConvertResult> convert(const ConvertRequest& request);

}  // namespace pgo
