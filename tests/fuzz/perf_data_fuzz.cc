// Any bytes as perf.data: an error, or a profile that adds up, and the same one in many blocks,
// also on three threads.
#include <cstdlib>

#include "converters/perf_data/perf_data_reader.h"
#include "tests/data/tiny_program.h"

using namespace pgo;

namespace {

constexpr size_t kSmallBlock = 64;  // a record or two

Result<AddressProfile> read(const perf_data::Recording& recording,
                            const std::vector<TargetBinary>& in,
                            perf_data::Compatibility compatibility, unsigned jobs) {
  perf_data::ReadOptions options;
  options.compatibility = compatibility;
  options.jobs = jobs;
  return perf_data::read_samples(recording, in, options);
}

void check(const perf_data::Recording& recording, size_t binaries,
           const Result<AddressProfile>& one) {
  if (!one) {
    if (one.error().message.empty()) std::abort();
    return;
  }
  if (one->check() || one->samples.seen != recording.sample_records) std::abort();
  uint64_t entries = 0;
  for (const BinaryCounts& binary : one->binaries)
    for (const Trace& trace : binary.traces) entries += trace.count;
  // An entry counts twice at most for a binary: once as LLVM reads it and once as BOLT does.
  if (entries > 2 * binaries * one->branches.seen) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const test::TinyProgram program, other("/lib/other.so", "");
  Bytes bytes(data, size);
  Result<perf_data::Recording> recording = perf_data::scan_recording(bytes, "fuzz", {});
  if (!recording) {
    if (recording.error().message.empty()) std::abort();
    return 0;
  }
  Result<perf_data::Recording> in_blocks =
      perf_data::scan_recording(bytes, "fuzz", {}, kSmallBlock);
  if (!in_blocks || in_blocks->diagnostics != recording->diagnostics) std::abort();
  // Starting threads takes longer than all the rest.
  const unsigned jobs = size % 8 == 0 ? 3 : 1;
  const std::vector<TargetBinary> both{program.target(), other.target()};
  constexpr auto kNone = perf_data::Compatibility::kNone;
  Result<AddressProfile> one = read(*recording, both, kNone, 1),
                         many = read(*in_blocks, both, kNone, jobs);
  check(*recording, both.size(), one);
  if (one.has_value() != many.has_value()) std::abort();
  if (one ? !(*one == *many) : one.error() != many.error()) std::abort();
  check(*recording, 1,
        read(*recording, {program.target()}, perf_data::Compatibility::kLlvmProfgen, 1));
  return 0;
}
