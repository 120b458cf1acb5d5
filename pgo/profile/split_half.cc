#include "pgo/profile/split_half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "pgo/base/hash.h"

namespace pgo {
namespace {

constexpr uint64_t kWord = 64, kMostBits = 4096;
constexpr double kMostSamples = 1e18;

uint64_t part_of(OptElfAddr addr) { return addr ? (*addr).value : ~uint64_t{0}; }

// How many of `count` fall on the first side.
uint64_t first_half(uint64_t count, uint64_t key) {
  uint64_t ones = 0, bits = std::min(count, kMostBits);
  for (uint64_t done = 0; done < bits; done += kWord) {
    uint64_t word = hash_more(key, done + 1);
    uint64_t used = std::min(bits - done, kWord);
    if (used < kWord) word &= (uint64_t{1} << used) - 1;
    ones += static_cast<uint64_t>(std::popcount(word));
  }
  if (count <= kMostBits) return ones;
  double deviation = (static_cast<double>(ones) - kMostBits / 2.0) /
                     (std::sqrt(static_cast<double>(kMostBits)) / 2);
  double half = static_cast<double>(count) / 2;
  double first = half + deviation * std::sqrt(static_cast<double>(count)) / 2;
  return std::min(count, static_cast<uint64_t>(std::max(first, 0.0)));
}

uint64_t key_of(const Trace& t) {
  uint64_t ends = hash_more(hash_more(part_of(t.from), part_of(t.to)), part_of(t.last));
  return hash_more(ends, static_cast<uint64_t>(t.reading));
}

// Divides the entries, whose keys `key_of` hashes, in units of `weight`.
template <typename T, typename Key>
void split(const std::vector<T>& all, double weight, const Key& key_of, std::vector<T>& first,
           std::vector<T>& second) {
  first = second = all;
  for (size_t i = 0; i < all.size(); i++) {
    auto count = static_cast<double>(all[i].count);
    auto samples = static_cast<uint64_t>(std::clamp(std::round(count / weight), 1.0, kMostSamples));
    double share =
        static_cast<double>(first_half(samples, key_of(all[i]))) / static_cast<double>(samples);
    first[i].count = share == 1 ? all[i].count
                                : static_cast<uint64_t>(std::min(std::round(share * count), count));
    second[i].count = all[i].count - first[i].count;
  }
}

}  // namespace

std::pair<BinaryCounts, BinaryCounts> split_plain_samples(const BinaryCounts& counts,
                                                          double weight) {
  std::pair<BinaryCounts, BinaryCounts> halves;
  auto& [first, second] = halves;
  split(
      counts.ips, weight, [](const IpCount& ip) { return hash_more(1, ip.ip.value); }, first.ips,
      second.ips);
  split(
      counts.calls, weight,
      [](const CallEdge& call) {
        return hash_more(hash_more(call.is_leaf ? 2 : 3, call.caller.value), call.callee.value);
      },
      first.calls, second.calls);
  return halves;
}

std::optional<double> overlap_of_trace_halves(std::span<const BinaryCounts> binaries) {
  std::vector<std::pair<double, double>> executed;  // bytes, by trace
  double first_sum = 0, second_sum = 0;
  for (const BinaryCounts& counts : binaries)
    for (const Trace& trace : counts.traces) {
      if (!trace.to || !trace.last || *trace.last < *trace.to) continue;
      uint64_t first = first_half(trace.count, key_of(trace));
      double bytes = static_cast<double>((*trace.last).value - (*trace.to).value + 1);
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
