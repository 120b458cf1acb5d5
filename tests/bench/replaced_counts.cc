// Inferred counts of which one ingredient is replaced by exact counts: what losses.py finds the
// causes of lost gain with.
//
//     replaced_counts BINARY SAMPLES.pb.gz EXACT.preagg DIRECTORY
//
// SAMPLES is pprof, EXACT what callgrind_counts.py made of the same run. Writes to DIRECTORY traces
// that `pgo convert` takes:
//
//   inferred.preagg   nothing replaced: what pgo convert infers
//   shape.preagg      how the blocks and edges of a function relate; its weight is inferred
//   weight.preagg     the weight of each function: how many instructions ran in it
//   targets.preagg    where indirect calls go, and in which shares
//   sampled.preagg    everything, but only functions with samples
//   exact.preagg      everything
//   thinned.preagg    exact counts known from as many samples as SAMPLES has: each is an executed
//                     instruction, chosen at random. No inference: what chance alone costs
//   uniform.preagg    inferred from such samples, and from the stacks of SAMPLES: what is left of
//                     the error if all instructions cost the same
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "tests/bench/estimate_files.h"
#include "tests/bench/trace_counts.h"

namespace pgo::infer {
namespace {

constexpr unsigned kSeed = 1;

double weight_of(const InferredFunction& function) {
  double weight = 0;
  for (size_t b = 0; b < function.flow.blocks.size(); b++)
    weight += function.flow.blocks[b] * function.graph.blocks[b].count;
  return weight;
}

double weight_of(const InferredCounts& counts) {
  double weight = 0;
  for (const InferredFunction& function : counts.functions) weight += weight_of(function);
  return weight;
}

void scale(InferredFunction& function, double factor) {
  for (double& block : function.flow.blocks) block *= factor;
  for (double& edge : function.flow.edges) edge *= factor;
}

FunctionCalls exact_calls(const ControlFlowGraph& graph, const TraceCounts& exact) {
  FunctionCalls calls(graph.calls.size());
  for (size_t c = 0; c < graph.calls.size(); c++) {
    if (graph.calls[c].callee) continue;
    auto targets = exact.targets(graph.instructions[graph.calls[c].instruction].addr);
    double sum = 0;
    for (auto [target, count] : targets) sum += count;
    for (auto [target, count] : targets) calls[c].targets.push_back({target, count / sum});
  }
  return calls;
}

// With the graphs of all functions that ran, weighing as much as `inferred` where both have them.
Result<InferredCounts> count_exactly(const ElfImage& image, const TraceCounts& exact,
                                     const InferredCounts& inferred) {
  PGO_TRY(InferredCounts counts, find_functions(image, {exact}));
  double of_both = 0;
  size_t next = 0;
  for (InferredFunction& function : counts.functions) {
    function.flow = exact.flow(function.graph);
    function.calls = exact_calls(function.graph, exact);
    const auto& others = inferred.functions;
    ElfAddr begin = function.graph.function.begin;
    while (next < others.size() && others[next].graph.function.begin < begin) next++;
    if (next < others.size() && others[next].graph.function.begin == begin)
      of_both += weight_of(function);
  }
  if (of_both == 0) return fail(ErrorKind::kInput, "the exact counts are not of what was sampled");
  double factor = weight_of(inferred) / of_both;
  for (InferredFunction& function : counts.functions) scale(function, factor);
  return counts;
}

// The functions of `counts` that `others` have too, each with its function of the others.
template <typename Replace>
InferredCounts replace(InferredCounts counts, const InferredCounts& others, Replace one) {
  for (InferredFunction& function : counts.functions) {
    ElfAddr begin = function.graph.function.begin;
    auto found = std::lower_bound(others.functions.begin(), others.functions.end(), begin,
                                  [](const InferredFunction& other, ElfAddr addr) {
                                    return other.graph.function.begin < addr;
                                  });
    bool is_there = found != others.functions.end() && found->graph.function.begin == begin;
    one(function, is_there ? &*found : nullptr);
  }
  return counts;
}

using Samples = std::vector<PcSample>;

// So many executed instructions, by chance in proportion to how often each ran.
Samples draw_instructions(const InferredCounts& exact, double samples) {
  std::mt19937_64 random(kSeed);
  double per_execution = samples / weight_of(exact);
  Samples drawn;
  for (const InferredFunction& function : exact.functions)
    for (size_t b = 0; b < function.graph.blocks.size(); b++) {
      const Block& block = function.graph.blocks[b];
      double mean = function.flow.blocks[b] * per_execution;
      if (mean <= 0) continue;
      for (uint32_t i = block.first; i < block.first + block.count; i++) {
        uint64_t count = std::poisson_distribution<uint64_t>(mean)(random);
        if (count) drawn.push_back({function.graph.instructions[i].addr, count, count});
      }
    }
  return drawn;
}

// Exact counts, but of each block so many as the samples in it say.
InferredCounts thin(InferredCounts counts, const Samples& samples) {
  for (InferredFunction& function : counts.functions) {
    std::vector<double> drawn(function.graph.blocks.size());
    for (size_t b = 0; b < drawn.size(); b++) {
      const Block& block = function.graph.blocks[b];
      ElfAddr first = function.graph.instructions[block.first].addr;
      ElfAddr end = function.graph.instructions[block.first + block.count - 1].end();
      auto at = std::lower_bound(samples.begin(), samples.end(), first,
                                 [](const PcSample& one, ElfAddr addr) { return one.pc < addr; });
      for (; at != samples.end() && at->pc < end; ++at)
        drawn[b] += static_cast<double>(at->samples) / block.count;
    }
    std::vector<double> exact = std::exchange(function.flow.blocks, drawn);
    for (size_t e = 0; e < function.flow.edges.size(); e++) {
      uint32_t source = function.graph.edges[e].source;
      if (exact[source] > 0) function.flow.edges[e] *= drawn[source] / exact[source];
    }
  }
  return counts;
}

Result<void> write_all(const char* binary, const char* samples, const char* exact_path,
                       const std::string& directory) {
  PGO_TRY(ElfImage image, ElfImage::open(binary));
  PGO_TRY(AddressProfile profile, read_samples(image, samples));
  PGO_TRY(TraceCounts traces, TraceCounts::read(exact_path));
  BinaryCounts& plain = profile.binaries[0];
  InferOptions options;
  auto count = static_cast<double>(plain.pc_sample_count());
  options.weight = static_cast<double>(plain.pc_sample_weight()) / count;
  PGO_TRY(InferredCounts inferred, infer_counts(image, image, plain, options));
  PGO_TRY(InferredCounts exact, count_exactly(image, traces, inferred));

  auto shape = replace(inferred, exact, [](InferredFunction& function, const auto* truth) {
    if (truth == nullptr || weight_of(*truth) == 0) return;
    double weight = weight_of(function);
    function.flow = truth->flow;
    scale(function, weight / weight_of(function));
  });
  auto weight = replace(inferred, exact, [](InferredFunction& function, const auto* truth) {
    double own = weight_of(function);
    if (own > 0) scale(function, truth == nullptr ? 0 : weight_of(*truth) / own);
  });
  auto targets = replace(inferred, exact, [](InferredFunction& function, const auto* truth) {
    if (truth != nullptr) function.calls = truth->calls;
  });
  auto sampled = replace(inferred, exact, [](InferredFunction& function, const auto* truth) {
    if (truth != nullptr)
      function = *truth;
    else
      scale(function, 0);
  });
  Samples drawn = draw_instructions(exact, count);
  InferredCounts thinned = thin(exact, drawn);
  options.weight = 1;
  options.model.costs.samples.fill(1);
  // Calls weigh what they did.
  for (CallEdge& call : plain.calls)
    call.count = static_cast<uint64_t>(std::llround(static_cast<double>(call.count) * count /
                                                    static_cast<double>(plain.pc_sample_weight())));
  plain.pc_samples = std::move(drawn);
  PGO_TRY(InferredCounts uniform, infer_counts(image, image, plain, options));

  const std::pair<const char*, const InferredCounts*> all[] = {
      {"inferred", &inferred}, {"shape", &shape}, {"weight", &weight},   {"targets", &targets},
      {"sampled", &sampled},   {"exact", &exact}, {"thinned", &thinned}, {"uniform", &uniform}};
  for (auto [name, counts] : all)
    if (Result<void> done = write_traces(*counts, directory + "/" + name + ".preagg"); !done)
      return done;
  return ok();
}

int run(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: replaced_counts BINARY SAMPLES.pb.gz EXACT.preagg DIRECTORY\n");
    return 2;
  }
  Result<void> done = write_all(argv[1], argv[2], argv[3], argv[4]);
  if (done) return 0;
  std::fprintf(stderr, "replaced_counts: %s\n", done.error().message.c_str());
  return 2;
}

}  // namespace
}  // namespace pgo::infer

int main(int argc, char** argv) { return pgo::infer::run(argc, argv); }
