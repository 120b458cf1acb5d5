#include "pgo/profile/split_half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
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

// The straight-line code of traces as steps up and down of a count, on one of two sides.
struct Step {
  uint64_t addr = 0;
  size_t side = 0;
  double by = 0;
};

double add_steps(const BinaryCounts& counts, size_t side, std::vector<Step>& steps) {
  double executed = 0;
  for (const Trace& trace : counts.traces) {
    if (!trace.to || !trace.last || *trace.last < *trace.to || trace.count == 0) continue;
    auto count = static_cast<double>(trace.count);
    uint64_t begin = (*trace.to).value, end = (*trace.last).value + 1;
    steps.push_back({begin, side, count});
    steps.push_back({end, side, -count});
    executed += static_cast<double>(end - begin) * count;
  }
  return executed;
}

}  // namespace

std::pair<BinaryCounts, BinaryCounts> split_in_halves(const BinaryCounts& counts, double weight) {
  std::pair<BinaryCounts, BinaryCounts> halves;
  auto& [first, second] = halves;
  for (BinaryCounts* half : {&first, &second}) {
    half->id = counts.id;
    half->path_hint = counts.path_hint;
  }
  split(
      counts.traces, 1,
      [](const Trace& t) {
        return hash_more(hash_more(hash_more(part_of(t.from), part_of(t.to)), part_of(t.last)),
                         static_cast<uint64_t>(t.reading));
      },
      first.traces, second.traces);
  split(
      counts.mispredicts, 1,
      [](const Mispredict& m) { return hash_more(part_of(m.from), part_of(m.to)); },
      first.mispredicts, second.mispredicts);
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

double executed_overlap(const BinaryCounts& a, const BinaryCounts& b) {
  std::vector<Step> steps;
  double all[2] = {add_steps(a, 0, steps), add_steps(b, 1, steps)};
  if (all[0] == 0 || all[1] == 0) return 0;
  // Steps at one address change nothing in between, but sums of fractions depend on their order.
  std::sort(steps.begin(), steps.end(), [](const Step& x, const Step& y) {
    return std::tie(x.addr, x.side, x.by) < std::tie(y.addr, y.side, y.by);
  });
  double overlap = 0, level[2] = {0, 0};
  for (size_t i = 0; i < steps.size(); i++) {
    level[steps[i].side] += steps[i].by;
    if (i + 1 == steps.size()) break;
    auto bytes = static_cast<double>(steps[i + 1].addr - steps[i].addr);
    overlap += bytes * std::max(0.0, std::min(level[0] / all[0], level[1] / all[1]));
  }
  return overlap;
}

}  // namespace pgo
