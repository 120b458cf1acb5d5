#include "pgo/profile/code_counts.h"

#include <algorithm>
#include <tuple>

#include "pgo/base/neighbours.h"
#include "pgo/base/parallel.h"

namespace pgo {
namespace {

auto key(const BranchCount& branch) { return std::tie(branch.from, branch.to); }
auto key(const RangeCount& range) { return std::tie(range.first, range.last); }

// Sorts by key and adds up the counts of equal ones.
template <typename T>
void sort_and_sum(std::vector<T>& items, unsigned jobs) {
  parallel_sort(items, jobs, [](const T& a, const T& b) { return key(a) < key(b); });
  merge_neighbours(
      items, [](const T& a, const T& b) { return key(a) == key(b); },
      [](T& into, const T& from) { into.count = saturating_add(into.count, from.count); });
}

bool runs_straight(const RangeCount& range, const CodeMap& code) {
  return range.first <= range.last && !code.find_barrier(range.first, range.last);
}

}  // namespace

CodeCounts count_code(const BinaryCounts& counts, const CodeMap& code, unsigned jobs) {
  CodeCounts result;
  for (const Trace& trace : counts.traces) {
    if (trace.reading == TraceReading::kBolt || !trace.to || !code.is_code(*trace.to)) continue;
    bool from_code = trace.from && code.is_code(*trace.from);
    result.branches.push_back({from_code ? trace.from : OptElfAddr(), *trace.to, trace.count});
    if (trace.last && code.is_code(*trace.last))
      result.ranges.push_back({*trace.to, *trace.last, trace.count});
  }

  sort_and_sum(result.branches, jobs);
  sort_and_sum(result.ranges, jobs);
  std::erase_if(result.ranges, [&](const RangeCount& range) {
    if (runs_straight(range, code)) return false;
    result.broken_ranges = saturating_add(result.broken_ranges, range.count);
    return true;
  });
  return result;
}

std::vector<Segment> find_segments(const std::vector<RangeCount>& ranges,
                                   const std::vector<RangeCount>& functions, unsigned jobs) {
  // Where ranges begin and end, in order; at one address beginnings stand before ends.
  struct Boundary {
    ElfAddr at;
    bool is_end = false;
    bool zero = false;  // of code that may not have run at all
    uint64_t count = 0;

    auto order() const { return std::tie(at, is_end); }
  };
  std::vector<Boundary> boundaries;
  boundaries.reserve(2 * (ranges.size() + functions.size()));
  auto add = [&](const RangeCount& range, uint64_t count, bool zero) {
    boundaries.push_back({range.first, false, zero, count});
    boundaries.push_back({range.last, true, zero, count});
  };
  for (const RangeCount& range : ranges) add(range, range.count, false);
  for (const RangeCount& function : functions) {
    // A range that was counted over exactly the same code is not zero.
    auto counted =
        std::lower_bound(ranges.begin(), ranges.end(), function,
                         [](const RangeCount& a, const RangeCount& b) { return key(a) < key(b); });
    if (counted == ranges.end() || counted->first != function.first ||
        counted->last != function.last)
      add(function, 0, true);
  }
  parallel_sort(boundaries, jobs,
                [](const Boundary& a, const Boundary& b) { return a.order() < b.order(); });

  std::vector<Segment> segments;
  uint64_t running = 0;
  int64_t zero_depth = 0;
  std::optional<ElfAddr> open;  // where the current segment starts
  for (size_t i = 0; i < boundaries.size();) {
    // Everything that begins, or everything that ends, at this address.
    Boundary sum = boundaries[i];
    while (++i < boundaries.size() && boundaries[i].order() == sum.order()) {
      sum.count = saturating_add(sum.count, boundaries[i].count);
      sum.zero |= boundaries[i].zero;
    }
    ElfAddr at = sum.at;
    if (!sum.is_end) {
      if (open) segments.push_back({*open, ElfAddr{at.value - 1}, running});
      running = saturating_add(running, sum.count);
      open = at;
      zero_depth += sum.zero;
    } else {
      // Nothing is open where two zero ranges began together and the first to end closed both.
      if (open) segments.push_back({*open, at, running});
      running -= std::min(running, sum.count);
      open = ElfAddr{at.value + 1};
      zero_depth -= sum.zero;
      if (running == 0 && zero_depth == 0) open.reset();
    }
  }
  return segments;
}

}  // namespace pgo
