// How close traces, whoever made them, come to exact counts.
//
//     trace_quality BINARY EXACT TRACES.preagg...
//
// EXACT is text, "address count" by line. Prints a line for each file of traces: the figures of
// block_quality.h, of the functions that have straight-line code in any of the files. Branches that
// are not in a file fall through there.
#include <cstdio>
#include <string>

#include "tests/bench/block_quality.h"
#include "tests/bench/trace_counts.h"

namespace pgo::infer {
namespace {

Result<void> measure(int argc, char** argv) {
  PGO_TRY(ElfImage image, ElfImage::open(argv[1]));
  Counts exact;
  for (const PcSample& count : read_counts(argv[2]))
    exact[count.pc] += static_cast<double>(count.samples);
  if (exact.empty()) return fail(ErrorKind::kInput, std::string(argv[2]) + ": no counts");
  std::vector<TraceCounts> files;
  for (int i = 3; i < argc; i++) {
    PGO_TRY(TraceCounts traces, TraceCounts::read(argv[i]));
    files.push_back(std::move(traces));
  }
  PGO_TRY(InferredCounts counts, find_functions(image, files));
  for (size_t i = 0; i < files.size(); i++) {
    for (InferredFunction& function : counts.functions)
      function.flow = files[i].flow(function.graph);
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
