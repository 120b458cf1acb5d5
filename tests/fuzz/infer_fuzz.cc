// Any bytes as a program's code, data and samples: what is inferred of them are flows without
// negative numbers, and traces within functions that were sampled, the same on one and two threads.
//   u8 functions, u8 bytes of data, data, then code; samples everywhere
#include <cmath>
#include <cstdlib>

#include "pgo/infer/inferred_counts.h"
#include "tests/data/elf_builder.h"

using namespace pgo;

namespace {

constexpr uint64_t kText = 0x1000, kData = 0x2000;

std::vector<uint8_t> program_with(Bytes code, Bytes data, size_t functions) {
  ElfBuilder elf;
  elf.header.e_machine = EM_X86_64;
  uint16_t text = elf.next_section();
  elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kText, as_text(code));
  elf.add_section(".rodata", SHT_PROGBITS, SHF_ALLOC, kData, as_text(data));
  for (size_t i = 0; i < functions; i++) {
    uint64_t begin = code.size() * i / functions, end = code.size() * (i + 1) / functions;
    elf.add_symbol("f", STT_FUNC, text, kText + begin, end - begin);
  }
  return elf.finish();
}

infer::InferredCounts infer_on(const ElfImage& image, const BinaryCounts& counts, unsigned jobs) {
  infer::InferOptions options;
  options.model.iterations = 5;
  options.model.jobs = jobs;
  options.trace_weight = counts.traces.empty() ? 0 : 1.5;
  options.split_half_iterations = counts.traces.empty() ? 0 : 2;
  Result<infer::InferredCounts> inferred = infer::infer_counts(image, image, counts, options);
  if (!inferred) std::abort();
  return *std::move(inferred);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  ByteCursor cursor({bytes, size});
  size_t functions = 1u + cursor.u8() % 4u;
  Bytes data = cursor.take(std::min<size_t>(cursor.u8(), cursor.remaining()));
  Bytes code = cursor.take(std::min<size_t>(kData - kText, cursor.remaining()));
  std::vector<uint8_t> file = program_with(code, data, functions);
  Result<ElfImage> image = ElfImage::parse(file, "program");
  if (!image) std::abort();
  BinaryCounts counts;
  for (size_t i = 0; i < code.size(); i += 3) {
    ElfAddr addr{kText + i};
    uint64_t samples = 1u + code[i] % 8u;
    counts.pc_samples.push_back({addr, samples, samples});
    // Callers anywhere, of functions anywhere.
    counts.calls.push_back({addr, ElfAddr{kText + code[i] % 64u}, i % 2 == 0, 1u + code[i] % 40u});
    // Branches from anywhere to anywhere, and straight-line code behind them, forwards or not.
    if (size % 2 == 0) continue;
    const ElfAddr to{kText + 37 * i % code.size()}, last{to.value + code[i] % 64u - 8};
    const auto reading = static_cast<TraceReading>(code[i] % 3);
    const uint64_t count = code[i] == 0 ? ~uint64_t{0} : 1u + code[i] % 9u;
    counts.traces.push_back({addr, i % 5 == 0 ? OptElfAddr() : OptElfAddr(to),
                             i % 7 == 0 ? OptElfAddr() : OptElfAddr(last), reading, count});
  }

  infer::InferredCounts inferred = infer_on(*image, counts, 1);
  for (const infer::InferredFunction& function : inferred.functions) {
    for (double flow : function.flow.blocks)
      if (!(flow >= 0) || std::isinf(flow)) std::abort();
    for (double flow : function.flow.edges)
      if (!(flow >= 0) || std::isinf(flow)) std::abort();
  }
  BinaryCounts traces = inferred.to_traces();
  for (const Trace& trace : traces.traces) {
    if (!trace.to || (*trace.to).value < kText) std::abort();
    if (trace.last && (*trace.last < *trace.to || (*trace.last).value >= kText + code.size()))
      std::abort();
  }
  if (traces != infer_on(*image, counts, 2).to_traces()) std::abort();
  return 0;
}
