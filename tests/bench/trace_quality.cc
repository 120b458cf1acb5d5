// How close traces, whoever made them, come to exact counts.
//
//     trace_quality BINARY EXACT TRACES.preagg...
//
// EXACT is text, "address count" by line. Prints a line for each file of traces: the figures of
// block_quality.h, of the functions that have straight-line code in any of the files. Branches that
// are not in a file fall through there.
#include <algorithm>
#include <cstdio>

#include "converters/preaggregated/preaggregated.h"
#include "pgo/base/mapped_file.h"
#include "tests/bench/block_quality.h"

namespace pgo::infer {
namespace {

class TraceCounts {
 public:
  explicit TraceCounts(const std::vector<Trace>& traces) {
    for (const Trace& trace : traces) {
      auto count = static_cast<double>(trace.count);
      if (trace.from && trace.to) branches_[{*trace.from, *trace.to}] += count;
      if (!trace.to || !trace.last) continue;
      begins_[*trace.to] += count;
      steps_[*trace.to] += count;
      steps_[ElfAddr{(*trace.last).value + 1}] -= count;
    }
    double sum = 0;
    for (auto& [addr, step] : steps_) step = sum += step;
  }

  // The first instructions of straight-line code.
  const Counts& begins() const { return begins_; }

  double ran(ElfAddr addr) const {
    auto after = steps_.upper_bound(addr);
    return after == steps_.begin() ? 0 : std::prev(after)->second;
  }
  double branched(ElfAddr from, ElfAddr to) const {
    auto found = branches_.find({from, to});
    return found == branches_.end() ? 0 : found->second;
  }

 private:
  Counts begins_;
  Counts steps_;  // from there on, so often
  std::map<std::pair<ElfAddr, ElfAddr>, double> branches_;
};

// Blocks and edges as the traces have them; what is not branched falls through.
void count(const TraceCounts& traces, InferredFunction& function) {
  const ControlFlowGraph& graph = function.graph;
  auto first = [&](uint32_t block) { return graph.instructions[graph.blocks[block].first].addr; };
  std::vector<double> left;
  for (uint32_t b = 0; b < graph.blocks.size(); b++) {
    function.flow.blocks[b] = traces.ran(first(b));
    left.push_back(function.flow.blocks[b]);
  }
  std::vector<OptElfAddr> exits(graph.edges.size());
  for (const CallSite& call : graph.calls)
    if (call.edge) exits[*call.edge] = call.callee;
  for (size_t e = 0; e < graph.edges.size(); e++) {
    const Edge& edge = graph.edges[e];
    const Block& source = graph.blocks[edge.source];
    ElfAddr from = graph.instructions[source.first + source.count - 1].addr;
    OptElfAddr to = exits[e];
    if (edge.kind == Edge::kTaken || edge.kind == Edge::kSwitch) to = first(edge.target);
    function.flow.edges[e] = to ? traces.branched(from, *to) : 0;
    left[edge.source] -= function.flow.edges[e];
  }
  for (size_t e = 0; e < graph.edges.size(); e++)
    if (graph.edges[e].kind == Edge::kFallThrough)
      function.flow.edges[e] = std::max(0.0, left[graph.edges[e].source]);
}

Result<TraceCounts> read_traces(const char* path) {
  PGO_TRY(MappedFile file, MappedFile::open(path));
  PGO_TRY(PreaggregatedProfile profile, parse_preaggregated(file.bytes(), path));
  return TraceCounts(profile.counts.traces);
}

// With the graphs of all functions that have straight-line code.
Result<InferredCounts> find_functions(const ElfImage& image,
                                      const std::vector<TraceCounts>& files) {
  Counts begins;
  for (const TraceCounts& traces : files)
    begins.insert(traces.begins().begin(), traces.begins().end());
  BinaryCounts there;
  for (auto [addr, count] : begins) there.pc_samples.push_back({addr, 1, 1});
  InferOptions options;
  options.estimator = Estimator::kFlow;  // the quick one: what counts is the graphs
  return infer_counts(image, image, there, options);
}

Result<void> measure(int argc, char** argv) {
  PGO_TRY(ElfImage image, ElfImage::open(argv[1]));
  Counts exact;
  for (const PcSample& count : read_counts(argv[2]))
    exact[count.pc] += static_cast<double>(count.samples);
  if (exact.empty()) return fail(ErrorKind::kInput, std::string(argv[2]) + ": no counts");
  std::vector<TraceCounts> files;
  for (int i = 3; i < argc; i++) {
    PGO_TRY(TraceCounts traces, read_traces(argv[i]));
    files.push_back(std::move(traces));
  }
  PGO_TRY(InferredCounts counts, find_functions(image, files));
  for (size_t i = 0; i < files.size(); i++) {
    for (InferredFunction& function : counts.functions) count(files[i], function);
    Quality quality = compare(counts, exact);
    std::printf("%s overlap %.4f cold-miss %.4f wrong-way %.4f dead-end %.5f\n", argv[i + 3],
                quality.overlap, quality.cold_miss, find_wrong_ways(counts, exact),
                find_dead_end_flow(counts, exact));
  }
  return ok();
}

int run(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: trace_quality BINARY EXACT TRACES.preagg...\n");
    return 2;
  }
  Result<void> done = measure(argc, argv);
  if (done) return 0;
  std::fprintf(stderr, "trace_quality: %s\n", done.error().message.c_str());
  return 2;
}

}  // namespace
}  // namespace pgo::infer

int main(int argc, char** argv) { return pgo::infer::run(argc, argv); }
