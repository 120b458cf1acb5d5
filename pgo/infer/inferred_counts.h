// From PC samples of one binary to how often its code ran: which functions were sampled, their
// control-flow graphs, the most likely flow (execution_model.h), and that as traces, so that what
// converts branch records converts this too.
//
//   PGO_TRY(InferredCounts inferred, infer_counts(image, symbols, counts, {}));
#pragma once

#include <optional>

#include "pgo/elf/elf_image.h"
#include "pgo/infer/execution_model.h"
#include "pgo/profile/address_profile.h"

namespace pgo::infer {

enum class Estimator {
  kLikelihood,  // execution_model.h
  kFlow,        // density and min-cost flow alone
};

struct InferOptions {
  ModelOptions model;
  Estimator estimator = Estimator::kLikelihood;
  // What one sample weighs in the counts: the sampling period. The model wants samples.
  double weight = 1;
  // What one branch record weighs in the traces of the counts. 0: what these say is not used.
  double trace_weight = 0;
  // To tell how converged the result is, half the samples are compared with the others; so many
  // steps find the flow of a half. 0: not at all.
  unsigned split_half_iterations = 0;
};

struct InferredFunction {
  ControlFlowGraph graph;
  FunctionCalls calls;  // as far as stacks told
  FunctionFlow flow;
};

struct InferredCounts {
  std::vector<InferredFunction> functions;  // those with samples, by address
  // In samples: of functions, and of code that is of none (linkage tables, stripped parts).
  uint64_t in_functions = 0, outside_functions = 0;
  uint32_t guessed_jumps = 0;
  // Of executed instructions, what is inferred from either half of the samples; if asked for,
  // and both halves have some.
  std::optional<double> split_half_overlap;
  // The share of inferred flow, in instructions, that goes through blocks without samples: what
  // rests on the control-flow graph and the model's priors alone. Nothing where samples were dealt
  // out by inference itself (ambiguous_samples.h), or where nothing ran.
  std::optional<double> unsampled_flow_share;

  // The same counts as branch records would give them: fields id and path_hint are for the caller.
  BinaryCounts to_traces() const;
};

// From the PC samples and calls of normalized `counts`, and, with a trace_weight, its traces.
// `symbols` is the image with the symbol table; x86-64 only. Only functions with samples take part:
// of others nothing is known, which is not the same as cold. O(size of those functions), and
// `model.iterations` times what their linear systems take.
Result<InferredCounts> infer_counts(const ElfImage& image, const ElfImage& symbols,
                                    const BinaryCounts& counts, const InferOptions& options);

}  // namespace pgo::infer
