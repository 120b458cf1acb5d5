// Samples of which only the piece of code is known, not the instruction: counts inferred from these
// like from any, once they are dealt out.
//
// Problem: the instructions of a line are in several blocks, which ran more or less often, and what
// samples would tell of that is lost.
// Idea: dealing out and inferring help each other. Samples are dealt out by what instructions cost,
// as if all of a place ran equally often; how often each one ran, given that, is inferred; then
// they are dealt out anew, by how often and cost together, and so on. Flow through the graph, of
// which other places know something too, is what tells the blocks of a place apart.
#pragma once

#include "pgo/infer/inferred_counts.h"

namespace pgo::infer {

struct AmbiguousSamples {
  std::vector<ElfAddr> instructions;  // sorted, at least one
  uint64_t count = 0;                 // in units of which InferOptions::weight are a sample
};

// As infer_counts(), but halves are not compared. Some twice its work.
Result<InferredCounts> infer_ambiguous_counts(const ElfImage& image, const ElfImage& symbols,
                                              const std::vector<AmbiguousSamples>& places,
                                              const InferOptions& options);

}  // namespace pgo::infer
