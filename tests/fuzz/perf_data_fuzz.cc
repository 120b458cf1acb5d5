// Any bytes as perf.data: an error, or a profile that adds up, and the same one on two threads.
#include <cstdlib>

#include "converters/perf_data/perf_data_reader.h"
#include "tests/data/tiny_program.h"

using namespace pgo;

namespace {

Result<AddressProfile> read(const perf_data::Recording& recording,
                            const std::vector<perf_data::TargetBinary>& in,
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
  const std::vector<perf_data::TargetBinary> both{program.target(), other.target()};
  constexpr auto kNone = perf_data::Compatibility::kNone;
  Result<AddressProfile> one = read(*recording, both, kNone, 1),
                         two = read(*recording, both, kNone, 2);
  check(*recording, both.size(), one);
  if (one.has_value() != two.has_value()) std::abort();
  if (one ? !(*one == *two) : one.error() != two.error()) std::abort();
  check(*recording, 1,
        read(*recording, {program.target()}, perf_data::Compatibility::kLlvmProfgen, 1));
  return 0;
}
