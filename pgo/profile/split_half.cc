#include "pgo/profile/split_half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "pgo/base/hash.h"
#include "pgo/profile/address_selection.h"

namespace pgo {
namespace {

constexpr uint64_t kWord = 64, kMaxBits = 4096;
constexpr double kMaxSamples = 1e18;

uint64_t part_of(OptElfAddr addr) { return addr ? (*addr).value : ~uint64_t{0}; }

// How many of `count` fall on the first side.
uint64_t first_half(uint64_t count, uint64_t key) {
  uint64_t ones = 0, bits = std::min(count, kMaxBits);
  for (uint64_t done = 0; done < bits; done += kWord) {
    uint64_t word = hash_more(key, done + 1);
    uint64_t used = std::min(bits - done, kWord);
    if (used < kWord) word &= (uint64_t{1} << used) - 1;
    ones += static_cast<uint64_t>(std::popcount(word));
  }
  if (count <= kMaxBits) return ones;
  double deviation =
      (static_cast<double>(ones) - kMaxBits / 2.0) / (std::sqrt(static_cast<double>(kMaxBits)) / 2);
  double half = static_cast<double>(count) / 2;
  double first = half + deviation * std::sqrt(static_cast<double>(count)) / 2;
  return std::min(count, static_cast<uint64_t>(std::max(first, 0.0)));
}

uint64_t key_of(const Trace& t) {
  uint64_t ends = hash_more(hash_more(part_of(t.from), part_of(t.to)), part_of(t.last));
  return hash_more(ends, static_cast<uint64_t>(t.reading));
}

// Of each time that it was recorded.
double bytes_behind(const Trace& trace) {
  // What BOLT reads otherwise than LLVM is the same code, counted a second time.
  if (trace.reading == TraceReading::kBolt) return 0;
  if (!trace.to || !trace.last || *trace.last < *trace.to) return 0;
  return static_cast<double>((*trace.last).value - (*trace.to).value + 1);
}

uint64_t key_of(const PcSample& sample) { return hash_more(1, sample.pc.value); }

uint64_t key_of(const CallEdge& call) {
  return hash_more(hash_more(call.is_leaf ? 2 : 3, call.caller.value), call.callee.value);
}

}  // namespace

std::pair<BinaryCounts, BinaryCounts> split_counts(const BinaryCounts& counts, double weight) {
  std::pair<BinaryCounts, BinaryCounts> halves;
  auto& [first, second] = halves;
  for (const PcSample& sample : counts.pc_samples) {
    // What was scaled down to no sample still has a weight, which goes to one side.
    uint64_t samples = std::max<uint64_t>(sample.samples, 1);
    uint64_t half = first_half(samples, key_of(sample));
    PcSample part{sample.pc, std::min(half, sample.samples),
                  share_of(sample.weight, half, samples)};
    first.pc_samples.push_back(part);
    second.pc_samples.push_back(
        {sample.pc, sample.samples - part.samples, sample.weight - part.weight});
  }
  for (const CallEdge& call : counts.calls) {
    double guess = std::round(static_cast<double>(call.count) / weight);
    auto samples = static_cast<uint64_t>(std::clamp(guess, 1.0, kMaxSamples));
    CallEdge part = call, rest = call;
    part.count = share_of(call.count, first_half(samples, key_of(call)), samples);
    rest.count = call.count - part.count;
    first.calls.push_back(part);
    second.calls.push_back(rest);
  }
  for (const Trace& trace : counts.traces) {
    Trace part = trace, rest = trace;
    part.count = first_half(trace.count, key_of(trace));
    rest.count = trace.count - part.count;
    first.traces.push_back(part);
    second.traces.push_back(rest);
  }
  return halves;
}

double executed_bytes(const Trace& trace) {
  return bytes_behind(trace) * static_cast<double>(trace.count);
}

std::optional<double> overlap_of_trace_halves(std::span<const BinaryCounts> binaries) {
  std::vector<std::pair<double, double>> executed;  // bytes, by trace
  double first_sum = 0, second_sum = 0;
  for (const BinaryCounts& counts : binaries)
    for (const Trace& trace : counts.traces) {
      const double bytes = bytes_behind(trace);
      if (bytes == 0) continue;
      uint64_t first = first_half(trace.count, key_of(trace));
      executed.emplace_back(bytes * static_cast<double>(first),
                            bytes * static_cast<double>(trace.count - first));
      first_sum += executed.back().first;
      second_sum += executed.back().second;
    }
  if (first_sum == 0 || second_sum == 0) return std::nullopt;
  double overlap = 0;
  for (auto [first, second] : executed) overlap += std::min(first / first_sum, second / second_sum);
  return overlap;
}

}  // namespace pgo
