// What else counts could be made of PC samples: the ways that ours is compared with, as traces
// that `pgo convert` takes.
//
//     pc_sample_estimates BINARY SAMPLES.pb.gz DIRECTORY
//
// SAMPLES is pprof. Writes to DIRECTORY, of the functions with samples:
//
//   naive.preagg   a block ran as often as its most frequent sample, and calls as often as it; no
//                  branches. What converters without branch records do.
//   flow.preagg    samples by instructions (density), and the min-cost flow closest to that
//   entries.preagg ours, with samples at first instructions as evidence for the calls that they
//                  came from (EntryConstraint::kOn)
#include <algorithm>
#include <cstdio>
#include <string>

#include "pgo/infer/inferred_counts.h"
#include "tests/bench/estimate_files.h"

namespace pgo::infer {
namespace {

void count_naively(InferredFunction& function, const std::vector<PcSample>& pc_samples) {
  const ControlFlowGraph& graph = function.graph;
  for (size_t b = 0; b < graph.blocks.size(); b++) {
    const Block& block = graph.blocks[b];
    const Instruction& last = graph.instructions[block.first + block.count - 1];
    auto sample =
        std::lower_bound(pc_samples.begin(), pc_samples.end(), graph.instructions[block.first].addr,
                         [](const PcSample& s, ElfAddr addr) { return s.pc < addr; });
    uint64_t largest = 0;
    for (; sample != pc_samples.end() && sample->pc <= last.addr; ++sample)
      largest = std::max(largest, sample->weight);
    function.flow.blocks[b] = static_cast<double>(largest);
  }
  std::fill(function.flow.edges.begin(), function.flow.edges.end(), 0.0);
}

Result<void> estimate(const char* binary, const char* samples, const std::string& directory) {
  PGO_TRY(ElfImage image, ElfImage::open(binary));
  PGO_TRY(AddressProfile profile, read_samples(image, samples));
  BinaryCounts& plain = profile.binaries[0];
  InferOptions options;
  options.weight =
      static_cast<double>(plain.pc_sample_weight()) / static_cast<double>(plain.pc_sample_count());
  options.model.entry_constraint = EntryConstraint::kOn;
  PGO_TRY(InferredCounts constrained, infer_counts(image, image, plain, options));
  if (Result<void> done = write_traces(constrained, directory + "/entries.preagg"); !done)
    return done;
  // Others do not use what stacks say.
  plain.calls.clear();
  options.estimator = Estimator::kFlow;
  PGO_TRY(InferredCounts counts, infer_counts(image, image, plain, options));
  if (Result<void> done = write_traces(counts, directory + "/flow.preagg"); !done) return done;
  for (InferredFunction& function : counts.functions) count_naively(function, plain.pc_samples);
  return write_traces(counts, directory + "/naive.preagg");
}

int run(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: pc_sample_estimates BINARY SAMPLES.pb.gz DIRECTORY\n");
    return 2;
  }
  Result<void> done = estimate(argv[1], argv[2], argv[3]);
  if (done) return 0;
  std::fprintf(stderr, "pc_sample_estimates: %s\n", done.error().message.c_str());
  return 2;
}

}  // namespace
}  // namespace pgo::infer

int main(int argc, char** argv) { return pgo::infer::run(argc, argv); }
