#include "pgo/infer/inferred_counts.h"

#include <elf.h>

#include <atomic>
#include <memory>

#include "pgo/base/parallel.h"

namespace pgo::infer {
namespace {

// A function with its samples.
struct Sampled {
  const FunctionSymbol* function = nullptr;
  size_t first = 0, end = 0;  // of the ips
};

std::vector<Sampled> find_sampled(const FunctionSymbols& functions, const std::vector<IpCount>& ips,
                                  InferredCounts& result) {
  std::vector<Sampled> sampled;
  for (size_t i = 0; i < ips.size(); i++) {
    std::optional<uint32_t> found = functions.find(ips[i].ip);
    uint64_t& total = found ? result.in_functions : result.outside_functions;
    total = saturating_add(total, ips[i].count);
    if (!found) continue;
    const FunctionSymbol* function = &functions.functions()[*found];
    if (sampled.empty() || sampled.back().function != function) sampled.push_back({function, i, i});
    sampled.back().end = i + 1;
  }
  return sampled;
}

// By instruction of the graph; a sample within an instruction counts for it, and one in bytes that
// are none for the instruction before.
InstructionSamples place_samples(const ControlFlowGraph& graph, const std::vector<IpCount>& ips,
                                 const Sampled& sampled, double weight) {
  InstructionSamples samples(graph.instructions.size());
  size_t at = 0;
  for (size_t i = sampled.first; i < sampled.end; i++) {
    while (at + 1 < samples.size() && graph.instructions[at + 1].addr <= ips[i].ip) at++;
    samples[at] += static_cast<double>(ips[i].count) / weight;
  }
  return samples;
}

// The graphs of `sampled`, each thread with a disassembler of its own.
std::vector<std::optional<ControlFlowGraph>> build_graphs(
    const ElfImage& image, const ElfImage& symbols, const FunctionSymbols& functions,
    const Disassembler& any, const std::vector<Sampled>& sampled, unsigned jobs) {
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
  return built;
}

}  // namespace

Result<InferredCounts> infer_counts(const ElfImage& image, const ElfImage& symbols,
                                    const BinaryCounts& counts, const InferOptions& options) {
  if (image.machine() != EM_X86_64)
    return fail(
        ErrorKind::kUnsupported,
        image.path() + ": is not of x86-64; plain samples of other machines cannot be used");
  std::unique_ptr<Disassembler> disassembler = Disassembler::create(image.machine());
  if (disassembler == nullptr)
    return fail(ErrorKind::kUnsupported, "this LLVM was built without x86-64: install llvm-22");

  // Which functions were sampled, and what their code and samples are.
  InferredCounts result;
  FunctionSymbols functions(image, symbols);
  std::vector<Sampled> sampled = find_sampled(functions, counts.ips, result);
  std::vector<ControlFlowGraph> graphs;
  std::vector<InstructionSamples> samples;
  std::vector<std::optional<ControlFlowGraph>> built =
      build_graphs(image, symbols, functions, *disassembler, sampled, options.model.jobs);
  for (size_t i = 0; i < sampled.size(); i++) {
    std::optional<ControlFlowGraph>& graph = built[i];
    if (!graph) continue;
    samples.push_back(place_samples(*graph, counts.ips, sampled[i], options.weight));
    graphs.push_back(*std::move(graph));
  }
  built = {};
  std::vector<FunctionCalls> calls = observe_calls(graphs, functions, counts.calls, options.weight);

  // How they ran.
  std::vector<FunctionFlow> flows(graphs.size());
  if (options.estimator == Estimator::kLikelihood)
    flows = fit_flows(graphs, samples, calls, options.model);
  else
    parallel_for(graphs.size(), options.model.jobs, [&](size_t i) {
      Flow flow = estimate_flow(graphs[i], samples[i]);
      flows[i] = {std::move(flow.blocks), std::move(flow.edges)};
    });
  for (size_t i = 0; i < graphs.size(); i++) {
    result.guessed_jumps += graphs[i].guessed_jumps;
    result.functions.push_back({std::move(graphs[i]), std::move(calls[i]), std::move(flows[i])});
  }
  return result;
}

}  // namespace pgo::infer
