// Any bytes as perf.data: an error, or stacks that add up to what was sampled, and the same ones in
// many blocks, also on three threads; and so for branches that have cycle counts.
#include <cstdlib>

#include "converters/perf_data/stacks/stack_reader.h"

using namespace pgo;

namespace {

constexpr size_t kSmallBlock = 64;  // a record or two

Result<perf_data::RecordedStacks> read(const perf_data::Recording& recording, unsigned jobs) {
  perf_data::StackOptions options;
  options.jobs = jobs;
  options.counts_branches = true;
  // Of a recording of several events the first, where all cannot be read together.
  Result<perf_data::RecordedStacks> all = perf_data::read_stacks(recording, options);
  if (all) return all;
  if (all.error().message.empty()) std::abort();
  options.events = {recording.events[0].name};
  return perf_data::read_stacks(recording, options);
}

// A branch takes a cycle or more.
void check_branches(const perf_data::SampledBranches& branches) {
  const StackProfile& profile = branches.profile;
  if (profile.check()) std::abort();
  double rate = 0;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    if (profile.stacks[static_cast<size_t>(profile.samples[i].stack)].size() != 2) std::abort();
    if (profile.values_of(i)[0] < 1) std::abort();
    rate += static_cast<double>(profile.values_of(i)[1]);
  }
  if (rate > 1.001 * perf_data::kRateCycles) std::abort();
}

void check(const perf_data::Recording& recording, const perf_data::RecordedStacks& stacks) {
  const StackProfile& profile = stacks.profile;
  if (profile.check() || stacks.samples.check()) std::abort();
  if (stacks.branches.stacks > stacks.samples.used) std::abort();
  check_branches(stacks.branches);
  if (stacks.samples.seen != recording.sample_records || stacks.samples.pending != 0) std::abort();
  StackProfile again = profile;
  again.normalize();
  if (!(again == profile)) std::abort();
  uint64_t samples = 0;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    if (profile.values_of(i)[0] < 1 || profile.values_of(i)[1] < 1) std::abort();
    if (profile.stacks[static_cast<size_t>(profile.samples[i].stack)].empty()) std::abort();
    samples += static_cast<uint64_t>(profile.values_of(i)[0]);
  }
  if (samples != stacks.samples.used) std::abort();
  for (const StackMapping& mapping : profile.mappings)
    if (mapping.begin.value == 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  Result<perf_data::Recording> recording = perf_data::scan_recording(bytes, "fuzz", {});
  if (!recording) return 0;
  Result<perf_data::Recording> in_blocks =
      perf_data::scan_recording(bytes, "fuzz", {}, kSmallBlock);
  if (!in_blocks) std::abort();
  // Starting threads takes longer than all the rest.
  const unsigned jobs = size % 8 == 0 ? 3 : 1;
  Result<perf_data::RecordedStacks> one = read(*recording, 1), many = read(*in_blocks, jobs);
  if (one.has_value() != many.has_value()) std::abort();
  if (!one) return 0;
  check(*recording, *one);
  if (!(one->profile == many->profile) || !(one->samples == many->samples) ||
      !(one->diagnostics == many->diagnostics) || !(one->branches == many->branches))
    std::abort();
  return 0;
}
