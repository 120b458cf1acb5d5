#include "pgo/profile/code_counts.h"

#include <algorithm>
#include <tuple>

#include "pgo/base/parallel.h"
#include "pgo/profile/sorted_counts.h"

namespace pgo {
namespace {

auto ends(const BranchCount& branch) { return std::tie(branch.from, branch.to); }
auto ends(const RangeCount& range) { return std::tie(range.first, range.last); }

constexpr auto kEnds = [](const auto& item) { return ends(item); };

// Tells which ranges can have run straight through, asked in the order of their beginnings. Each
// address is looked at once, however many ranges hold it.
class StraightCode {
 public:
  explicit StraightCode(const CodeMap& code) : code_(code) {}

  bool holds(const RangeCount& range) {
    if (range.last < range.first) return false;
    searched_ = std::max(searched_, range.first);
    if (searched_ >= range.last) return true;
    std::optional<ElfAddr> barrier = code_.find_barrier(searched_, range.last);
    searched_ = barrier.value_or(range.last);
    return !barrier;
  }

 private:
  const CodeMap& code_;
  ElfAddr searched_;  // no barrier from the last beginning up to here; perhaps one at it
};

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

  sort_and_sum(result.branches, jobs, kEnds);
  sort_and_sum(result.ranges, jobs, kEnds);
  StraightCode straight(code);
  size_t kept = 0;
  for (const RangeCount& range : result.ranges) {
    if (straight.holds(range))
      result.ranges[kept++] = range;
    else
      result.broken_ranges = saturating_add(result.broken_ranges, range.count);
  }
  result.ranges.resize(kept);
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
    auto counted = std::lower_bound(
        ranges.begin(), ranges.end(), function,
        [](const RangeCount& a, const RangeCount& b) { return ends(a) < ends(b); });
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
