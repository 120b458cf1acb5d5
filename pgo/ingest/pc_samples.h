// PC samples: where no input has branch stacks, counts of code are inferred from where the program
// was sampled (pgo/infer).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/binary/binary_set.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/quality.h"

namespace pgo {

// A function and line that was sampled and is not in the binaries.
struct UnmatchedPlace {
  std::string function, file;
  int64_t line = 0;  // 0: none is known
  Dropped reason = Dropped::kUnknownFunction;
  uint64_t samples = 0;
};

// Samples that were known by function and line alone, and looked up in the binaries.
struct SymbolizedSamples {
  uint64_t all = 0;                       // in what may be the binaries
  uint64_t inlined_otherwise = 0;         // of those found: more or less deeply than in what ran
  std::vector<UnmatchedPlace> unmatched;  // the hottest places, most samples first
};

// What the inferred counts of one binary rest on.
struct InferredBinary {
  uint64_t samples = 0, weight = 0;
  bool is_inferred = false;                                                  // any of its counts
  std::optional<double> split_half_overlap = {}, unsampled_flow_share = {};  // as of all
  uint64_t step_records = 0;                                                 // as of all
  Quality quality_of_steps = Quality::kUnknown;                              // as of all
};

// What inferred counts rest on.
struct Inference {
  uint64_t samples = 0;  // in the binaries
  uint64_t functions = 0;
  double outside_functions = 0;  // the share of samples in code of no function
  uint32_t guessed_jumps = 0;    // indirect jumps whose targets were guessed
  // How much the counts from two halves of the samples agree, 0 to 1.
  std::optional<double> split_half_overlap;
  // How much of the inferred flow goes through blocks without samples, 0 to 1.
  std::optional<double> unsampled_flow_share;
  std::vector<InferredBinary> binaries;  // as the binaries of the profile
  std::optional<SymbolizedSamples> symbolized;
  bool is_cpu_time = true;  // or memory, or waiting, because the user asked for it
  // Samples with branch records by single steps, which were used together with the PC samples,
  // their branch records, and what they are worth by themselves.
  uint64_t step_samples = 0, step_records = 0;
  Quality quality_of_steps = Quality::kUnknown;

  // Software branch records only if the steps suffice by themselves
  // (thresholds::kMinStepsForEvidence); with fewer, the counts are inferred from samples.
  Evidence evidence() const;
  // The same of one of `binaries`; where no counts were inferred, all are those of the steps.
  Evidence evidence_of(const InferredBinary& binary) const;
  // Does that much rest on the model alone (thresholds::kMaxUnsampledFlow)?
  bool has_much_unsampled_flow() const;
  // By the number of samples; one less where much of the flow is unsampled. kUnknown for samples of
  // something else than CPU time: their number tells nothing. With single steps the better of both.
  Quality quality() const;
  // The same of one of `binaries`; also kUnknown when it has no samples.
  Quality quality_of(const InferredBinary& binary) const;
};

// Samples add up by their periods, which are times of one event and cycles of another, and 1 where
// the input does not say: then one of them is as good as lost, and `profile` gets a warning.
void warn_of_units(AddressProfile& profile);

// Branch records count instead of PC samples, which are dropped where there are any.
void drop_beside_traces(AddressProfile& profile);

// Fills in the traces of `profile` from its PC samples, and accounts for these as used. Traces that
// it has already count instead, and PC samples are dropped; only those of single steps count
// together with PC samples (single_steps.h). Returns nothing where no counts were inferred.
Result<std::optional<Inference>> infer_from_pc_samples(AddressProfile& profile,
                                                       const BinarySet& binaries, unsigned jobs);

// For what shows or keeps PC samples as they are: accounts for them as used. True when they are all
// there is.
bool keep_pc_samples(AddressProfile& profile);

// Do all its samples count CPU time?
bool counts_cpu_time(const AddressProfile& profile);

}  // namespace pgo
