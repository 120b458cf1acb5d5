// How close inferred counts come to exact ones; what the constants of pgo/infer are chosen by.
//
//     infer_quality BINARY SAMPLES EXACT
//
// SAMPLES and EXACT are text, "address count" by line, addresses of the ELF file in hexadecimal:
// PC samples, and how often each instruction ran. Prints, for all samples and for a tenth, a
// hundredth and a thousandth of them (means of three draws), and for each way to estimate, the
// figures of block_quality.h and the share of inferred flow in blocks without samples; and first by
// how much exact counts violate our control-flow graphs: executions that no edge leads to. What is
// left there is rep instructions, which callgrind counts once a round.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

#include "tests/bench/block_quality.h"

namespace pgo::infer {
namespace {

// Another draw of as many samples, or of a part of them.
std::vector<PcSample> draw(const std::vector<PcSample>& pc_samples, double rate, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<PcSample> drawn;
  for (const PcSample& sample : pc_samples) {
    auto n = static_cast<int64_t>(sample.samples);
    int64_t count = rate < 1 ? std::binomial_distribution<int64_t>(n, rate)(random)
                             : std::poisson_distribution<int64_t>(static_cast<double>(n))(random);
    if (count <= 0) continue;
    auto samples = static_cast<uint64_t>(count);
    drawn.push_back({sample.pc, samples, samples});
  }
  return drawn;
}

// Executions that nothing in the graph leads to, and all.
struct Balance {
  double missing = 0, all = 0;
};

Balance balance(const InferredCounts& inferred, const Counts& exact) {
  Balance balance;
  for (const InferredFunction& function : inferred.functions) {
    const ControlFlowGraph& graph = function.graph;
    std::vector<double> truth = exact_blocks(graph, exact), in(truth.size());
    for (const Edge& edge : graph.edges)
      if (edge.kind != Edge::kExit) in[edge.target] += truth[edge.source];
    for (size_t s = 0; s < graph.sources.size(); s++)
      if (s == 0) in[graph.sources[s]] = truth[graph.sources[s]];
    for (size_t b = 0; b < truth.size(); b++) {
      balance.all += truth[b];
      balance.missing += std::max(0.0, truth[b] - in[b]);
    }
  }
  return balance;
}

enum class Way { kLargest, kDensity, kFlow, kLikelihood };
constexpr const char* kNames[] = {"largest sample", "density", "density and flow", "likelihood"};

// What naive conversions take for a block's count.
void count_naively(InferredCounts& inferred, const std::vector<PcSample>& pc_samples, Way way) {
  Counts samples;
  for (const PcSample& sample : pc_samples)
    samples[sample.pc] += static_cast<double>(sample.samples);
  for (InferredFunction& function : inferred.functions)
    for (size_t b = 0; b < function.graph.blocks.size(); b++) {
      const Block& block = function.graph.blocks[b];
      double sum = 0, largest = 0;
      for (uint32_t i = block.first; i < block.first + block.count; i++) {
        double count = at(samples, function.graph.instructions[i].addr);
        sum += count;
        largest = std::max(largest, count);
      }
      function.flow.blocks[b] = way == Way::kLargest ? largest : sum / block.count;
    }
}

Result<Quality> measure(const ElfImage& image, const std::vector<PcSample>& pc_samples,
                        const Counts& exact, Way way) {
  InferOptions options;
  options.estimator = way == Way::kLikelihood ? Estimator::kLikelihood : Estimator::kFlow;
  auto begin = std::chrono::steady_clock::now();
  BinaryCounts counts;
  counts.pc_samples = pc_samples;
  PGO_TRY(InferredCounts inferred, infer_counts(image, image, counts, options));
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  bool naive = way == Way::kLargest || way == Way::kDensity;
  if (naive) count_naively(inferred, pc_samples, way);
  Quality quality = compare(inferred, exact);
  quality.seconds = took.count();
  quality.has_ways = !naive;
  if (!naive) {
    quality.wrong_way = find_wrong_ways(inferred, exact);
    quality.dead_end = find_dead_end_flow(inferred, exact);
    quality.unsampled = inferred.unsampled_flow_share.value_or(0);
  }
  return quality;
}

Result<void> measure_all(const char* binary, const std::vector<PcSample>& pc_samples,
                         const Counts& exact) {
  constexpr unsigned kDraws = 3;
  PGO_TRY(ElfImage image, ElfImage::open(binary));
  InferOptions flow;
  flow.estimator = Estimator::kFlow;
  BinaryCounts counts;
  counts.pc_samples = pc_samples;
  PGO_TRY(InferredCounts graphs, infer_counts(image, image, counts, flow));
  Balance violated = balance(graphs, exact);
  uint64_t blocks = 0;
  for (const InferredFunction& function : graphs.functions) blocks += function.graph.blocks.size();
  std::printf(
      "%s: %llu samples in %zu functions of %llu blocks, %llu elsewhere; %.1e of what ran "
      "is not led to\n",
      binary, static_cast<unsigned long long>(graphs.in_functions), graphs.functions.size(),
      static_cast<unsigned long long>(blocks),
      static_cast<unsigned long long>(graphs.outside_functions),
      violated.missing / std::max(violated.all, 1.0));
  std::printf("  %-18s %6s  %7s  %9s  %9s  %8s  %9s  %7s\n", "way", "rate", "overlap", "cold-miss",
              "wrong-way", "dead-end", "unsampled", "seconds");
  for (Way way : {Way::kLargest, Way::kDensity, Way::kFlow, Way::kLikelihood})
    for (double rate : {1.0, .1, .01, .001}) {
      Quality mean;
      for (unsigned seed = 1; seed <= kDraws; seed++) {
        PGO_TRY(Quality one, measure(image, draw(pc_samples, rate, seed), exact, way));
        mean.overlap += one.overlap / kDraws;
        mean.cold_miss += one.cold_miss / kDraws;
        mean.wrong_way += one.wrong_way / kDraws;
        mean.dead_end += one.dead_end / kDraws;
        mean.unsampled += one.unsampled / kDraws;
        mean.seconds += one.seconds / kDraws;
        mean.has_ways = one.has_ways;
      }
      char ways[64] = "";
      if (mean.has_ways)
        std::snprintf(ways, sizeof ways, "%9.3f  %8.5f  %9.3f", mean.wrong_way, mean.dead_end,
                      mean.unsampled);
      std::printf("  %-18s %6g  %7.3f  %9.3f  %30s  %7.2f\n", kNames[static_cast<size_t>(way)],
                  rate, mean.overlap, mean.cold_miss, ways, mean.seconds);
    }
  return ok();
}

int run(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: infer_quality BINARY SAMPLES EXACT\n");
    return 2;
  }
  std::vector<PcSample> pc_samples = read_counts(argv[2]);
  Counts exact;
  for (const PcSample& count : read_counts(argv[3]))
    exact[count.pc] += static_cast<double>(count.samples);
  if (pc_samples.empty() || exact.empty()) {
    std::fprintf(stderr, "infer_quality: no counts in %s\n",
                 pc_samples.empty() ? argv[2] : argv[3]);
    return 2;
  }
  Result<void> done = measure_all(argv[1], pc_samples, exact);
  if (done) return 0;
  std::fprintf(stderr, "infer_quality: %s\n", done.error().message.c_str());
  return 2;
}

}  // namespace
}  // namespace pgo::infer

int main(int argc, char** argv) { return pgo::infer::run(argc, argv); }
