#include "pgo/infer/inferred_counts.h"

#include <elf.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "pgo/base/parallel.h"
#include "pgo/infer/dead_end_flow.h"
#include "pgo/profile/split_half.h"

namespace pgo::infer {
namespace {

// A function with its samples.
struct Sampled {
  const FunctionSymbol* function = nullptr;
  size_t first = 0, end = 0;  // of its PC samples
};

std::vector<Sampled> find_sampled(const FunctionSymbols& functions,
                                  const std::vector<PcSample>& pc_samples, InferredCounts& result) {
  std::vector<Sampled> sampled;
  for (size_t i = 0; i < pc_samples.size(); i++) {
    std::optional<uint32_t> found = functions.find(pc_samples[i].pc);
    uint64_t& total = found ? result.in_functions : result.outside_functions;
    total = saturating_add(total, pc_samples[i].weight);
    if (!found) continue;
    const FunctionSymbol* function = &functions.functions()[*found];
    if (sampled.empty() || sampled.back().function != function) sampled.push_back({function, i, i});
    sampled.back().end = i + 1;
  }
  return sampled;
}

// By instruction of the graph; a sample within an instruction counts for it, and one in bytes that
// are none for the instruction before.
InstructionSamples place_samples(const ControlFlowGraph& graph,
                                 const std::vector<PcSample>& pc_samples, const Sampled& sampled,
                                 double weight) {
  InstructionSamples samples(graph.instructions.size());
  size_t at = 0;
  for (size_t i = sampled.first; i < sampled.end; i++) {
    while (at + 1 < samples.size() && graph.instructions[at + 1].addr <= pc_samples[i].pc) at++;
    samples[at] += static_cast<double>(pc_samples[i].weight) / weight;
  }
  return samples;
}

// The graphs of `sampled`, each thread with a disassembler of its own. What has no instruction is
// removed from both.
std::vector<ControlFlowGraph> build_graphs(const ElfImage& image, const ElfImage& symbols,
                                           const FunctionSymbols& functions,
                                           const Disassembler& any, std::vector<Sampled>& sampled,
                                           unsigned jobs) {
  OpcodeTable opcodes(any.instructions());
  ImageData data(image, symbols);
  Imports imports(image, any);
  NoReturn no_return(functions, imports);
  std::vector<std::optional<ControlFlowGraph>> built(sampled.size());
  size_t threads = std::min<size_t>(resolve_jobs(jobs), sampled.size());
  std::atomic<size_t> next{0};
  parallel_for(threads, static_cast<unsigned>(threads), [&](size_t) {
    std::unique_ptr<Disassembler> disassembler = Disassembler::create(image.machine());
    FunctionDecoder decoder(*disassembler, opcodes);
    JumpTableReader tables(*disassembler, opcodes, data);
    GraphBuilder builder(decoder, tables, no_return);
    for (size_t i = next++; i < sampled.size(); i = next++)
      built[i] = builder.build(*sampled[i].function);
  });
  std::vector<ControlFlowGraph> graphs;
  std::vector<Sampled> kept;
  for (size_t i = 0; i < built.size(); i++) {
    std::optional<ControlFlowGraph>& graph = built[i];
    if (!graph) continue;
    graphs.push_back(*std::move(graph));
    kept.push_back(sampled[i]);
  }
  sampled = std::move(kept);
  return graphs;
}

// Of each block the lesser of its shares in the instructions that ran.
double overlap(const std::vector<ControlFlowGraph>& graphs, const std::vector<FunctionFlow>& a,
               const std::vector<FunctionFlow>& b) {
  auto instructions = [&](const std::vector<FunctionFlow>& flows, size_t function, size_t block) {
    return flows[function].blocks[block] * graphs[function].blocks[block].count;
  };
  double all_a = 0, all_b = 0, overlap = 0;
  for (size_t f = 0; f < graphs.size(); f++)
    for (size_t block = 0; block < graphs[f].blocks.size(); block++) {
      all_a += instructions(a, f, block);
      all_b += instructions(b, f, block);
    }
  if (all_a == 0 || all_b == 0) return 0;
  for (size_t f = 0; f < graphs.size(); f++)
    for (size_t block = 0; block < graphs[f].blocks.size(); block++)
      overlap += std::min(instructions(a, f, block) / all_a, instructions(b, f, block) / all_b);
  return overlap;
}

std::optional<double> find_unsampled_flow_share(const std::vector<ControlFlowGraph>& graphs,
                                                const std::vector<InstructionSamples>& samples,
                                                const std::vector<FunctionFlow>& flows) {
  double unsampled = 0, all = 0;
  for (size_t f = 0; f < graphs.size(); f++) {
    std::vector<double> block_samples = add_up_blocks(graphs[f], samples[f]);
    for (size_t b = 0; b < block_samples.size(); b++) {
      double ran = flows[f].blocks[b] * graphs[f].blocks[b].count;
      all += ran;
      if (block_samples[b] == 0) unsampled += ran;
    }
  }
  if (all == 0) return std::nullopt;
  return unsampled / all;
}

// The code of one binary, of which several sets of samples can be fitted: those it was built for,
// and others with the same addresses and other counts.
struct Inference {
  const FunctionSymbols& functions;
  const std::vector<Sampled>& sampled;
  const std::vector<ControlFlowGraph>& graphs;  // of `sampled`
  const InferOptions& options;

  std::vector<InstructionSamples> place(const BinaryCounts& counts) const {
    std::vector<InstructionSamples> samples;
    for (size_t i = 0; i < graphs.size(); i++)
      samples.push_back(place_samples(graphs[i], counts.pc_samples, sampled[i], options.weight));
    return samples;
  }

  std::vector<FunctionFlow> fit(const BinaryCounts& counts, const ModelOptions& model,
                                std::vector<FunctionCalls>& calls) const {
    std::vector<InstructionSamples> samples = place(counts);
    std::vector<EdgeCounts> branches;
    if (options.trace_weight != 0)
      branches = observe_branches(graphs, counts.traces, options.trace_weight);
    calls = find_calls(counts);
    if (options.estimator == Estimator::kLikelihood)
      return fit_flows(graphs, samples, calls, model, branches);
    std::vector<FlowLimits> limits = find_flow_limits(graphs, samples, calls);
    std::vector<FunctionFlow> flows(graphs.size());
    parallel_for(graphs.size(), model.jobs, [&](size_t i) {
      Flow flow = estimate_flow(graphs[i], samples[i], limits[i]);
      flows[i] = {std::move(flow.blocks), std::move(flow.edges)};
    });
    return flows;
  }

  // What stacks say about calls, and branch records, if these are used.
  std::vector<FunctionCalls> find_calls(const BinaryCounts& counts) const {
    std::vector<RecordedCall> recorded;
    if (options.trace_weight != 0)
      recorded = calls_in(graphs, counts.traces, options.weight / options.trace_weight);
    return observe_calls(graphs, functions, counts.calls, recorded, options.weight);
  }

  // The overlap of what two halves of the samples say, fitted side by side: much of a step is one
  // thread's work.
  double compare(const BinaryCounts& first, const BinaryCounts& second) const {
    ModelOptions model = options.model;
    model.iterations = options.split_half_iterations;
    unsigned threads = resolve_jobs(model.jobs);
    model.jobs = std::max(1u, threads / 2);
    std::vector<FunctionFlow> flows[2];
    parallel_for(2, threads, [&](size_t half) {
      std::vector<FunctionCalls> ignored;
      flows[half] = fit(half == 0 ? first : second, model, ignored);
    });
    return overlap(graphs, flows[0], flows[1]);
  }
};

bool has_samples(const BinaryCounts& counts) {
  return std::any_of(counts.pc_samples.begin(), counts.pc_samples.end(),
                     [](const PcSample& sample) { return sample.weight != 0; });
}

// How often a function was entered: its first block may run more often.
double entries_of(const ControlFlowGraph& graph, const FunctionFlow& flow) {
  double entries = flow.blocks[0];
  for (size_t e = 0; e < graph.edges.size(); e++)
    if (graph.edges[e].kind != Edge::kExit && graph.edges[e].target == 0) entries -= flow.edges[e];
  return std::max(entries, 0.0);
}

}  // namespace

Result<InferredCounts> infer_counts(const ElfImage& image, const ElfImage& symbols,
                                    const BinaryCounts& counts, const InferOptions& options) {
  if (image.machine() != EM_X86_64)
    return fail(ErrorKind::kUnsupported,
                image.path() +
                    ": is not an x86-64 binary; PC samples of other architectures cannot be used");
  std::unique_ptr<Disassembler> disassembler = Disassembler::create(image.machine());
  if (disassembler == nullptr)
    return fail(ErrorKind::kUnsupported, "this LLVM was built without x86-64: install llvm-22");

  // Which functions were sampled, and what their code is.
  InferredCounts result;
  FunctionSymbols functions(image, symbols);
  std::vector<Sampled> sampled = find_sampled(functions, counts.pc_samples, result);
  std::vector<ControlFlowGraph> graphs =
      build_graphs(image, symbols, functions, *disassembler, sampled, options.model.jobs);

  // How it ran.
  Inference inference{functions, sampled, graphs, options};
  std::vector<FunctionCalls> calls;
  std::vector<FunctionFlow> flows = inference.fit(counts, options.model, calls);
  result.unsampled_flow_share = find_unsampled_flow_share(graphs, inference.place(counts), flows);
  std::vector<double> entries;
  for (size_t i = 0; i < graphs.size(); i++) entries.push_back(entries_of(graphs[i], flows[i]));
  share_by_entries(graphs, entries, calls);
  if (options.split_half_iterations != 0) {
    auto halves = split_counts(counts, options.weight);
    if (has_samples(halves.first) && has_samples(halves.second))
      result.split_half_overlap = inference.compare(halves.first, halves.second);
  }
  for (size_t i = 0; i < graphs.size(); i++) {
    result.guessed_jumps += graphs[i].guessed_jumps;
    result.functions.push_back({std::move(graphs[i]), std::move(calls[i]), std::move(flows[i])});
  }
  return result;
}

}  // namespace pgo::infer
