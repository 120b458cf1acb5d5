#include "pgo/profile/address_selection.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pgo {
namespace {

__extension__ using Product = unsigned __int128;

// What is counted in one kind of entry, by why it is left out.
struct Shares {
  uint64_t all = 0;
  std::array<uint64_t, kDroppedCount> dropped{};

  void add(uint64_t count, std::optional<Dropped> reason) {
    all = saturating_add(all, count);
    if (!reason) return;
    uint64_t& sum = dropped[static_cast<size_t>(*reason)];
    sum = saturating_add(sum, count);
  }
  // What a binary with such a count has of `sum`.
  uint64_t part_of(uint64_t sum, uint64_t count) const {
    return std::min(share_of(sum, count, all), sum);
  }
  // Moves shares of `from` to their reasons.
  void move(uint64_t& from, Accounting& accounting) const {
    uint64_t before = from;
    for (size_t i = 0; i < kDroppedCount; i++) {
      uint64_t moved = std::min(share_of(before, dropped[i], all), from);
      from -= moved;
      accounting.dropped[i] = saturating_add(accounting.dropped[i], moved);
    }
  }
};

}  // namespace

uint64_t share_of(uint64_t count, uint64_t part, uint64_t whole) {
  if (whole == 0) return 0;
  const Product share = (Product{count} * part + whole / 2) / whole;
  return static_cast<uint64_t>(std::min<Product>(share, ~uint64_t{0}));
}

uint64_t sum_of_traces(const BinaryCounts& counts) {
  uint64_t sum = 0;
  for (const Trace& trace : counts.traces)
    if (trace.reading != TraceReading::kBolt) sum = saturating_add(sum, trace.count);
  return sum;
}

std::vector<LeftOutBinary> leave_out(AddressProfile& profile, const WhyLeftOut& why) {
  Shares traces, pc_samples;
  std::vector<LeftOutBinary> left_out;
  std::vector<std::pair<uint64_t, uint64_t>> counted;  // of these: in traces and in PC samples
  std::erase_if(profile.binaries, [&](const BinaryCounts& counts) {
    std::optional<Dropped> reason = why(counts);
    traces.add(sum_of_traces(counts), reason);
    pc_samples.add(counts.pc_sample_count(), reason);
    if (!reason) return false;
    left_out.push_back({counts.path_hint, counts.id, *reason});
    counted.emplace_back(sum_of_traces(counts), counts.pc_sample_count());
    return true;
  });
  for (size_t i = 0; i < left_out.size(); i++)
    left_out[i].samples =
        saturating_add(traces.part_of(profile.samples.used, counted[i].first),
                       pc_samples.part_of(profile.samples.pending, counted[i].second));
  traces.move(profile.branches.used, profile.branches);
  traces.move(profile.samples.used, profile.samples);
  pc_samples.move(profile.samples.pending, profile.samples);
  return left_out;
}

}  // namespace pgo
