#include "pgo/profile/code_counts.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pgo {
namespace {

// Adds up the counts of neighbours that `same` says have one key.
template <typename T, typename Same>
void sum_neighbours(std::vector<T>& items, const Same& same) {
  size_t kept = 0;
  for (size_t i = 0; i < items.size(); i++) {
    if (kept > 0 && same(items[kept - 1], items[i]))
      items[kept - 1].count = saturating_add(items[kept - 1].count, items[i].count);
    else
      items[kept++] = items[i];
  }
  items.resize(kept);
}

bool runs_straight(const RangeCount& range, const CodeMap& code) {
  return range.first <= range.last && !code.find_barrier(range.first, range.last);
}

}  // namespace

CodeCounts count_code(const BinaryCounts& counts, const CodeMap& code) {
  CodeCounts result;
  for (const Trace& trace : counts.traces) {
    if (trace.reading == TraceReading::kBolt || !trace.to || !code.is_code(*trace.to)) continue;
    bool from_code = trace.from && code.is_code(*trace.from);
    result.branches.push_back({from_code ? trace.from : OptElfAddr(), *trace.to, trace.count});
    if (trace.last && code.is_code(*trace.last))
      result.ranges.push_back({*trace.to, *trace.last, trace.count});
  }

  std::sort(result.branches.begin(), result.branches.end(), [](const auto& a, const auto& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  sum_neighbours(result.branches,
                 [](const auto& a, const auto& b) { return a.from == b.from && a.to == b.to; });
  std::sort(result.ranges.begin(), result.ranges.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.last) < std::tie(b.first, b.last);
  });
  sum_neighbours(result.ranges, [](const auto& a, const auto& b) {
    return a.first == b.first && a.last == b.last;
  });
  std::erase_if(result.ranges, [&](const RangeCount& range) {
    if (runs_straight(range, code)) return false;
    result.broken_ranges = saturating_add(result.broken_ranges, range.count);
    return true;
  });
  return result;
}

std::vector<Segment> find_segments(const std::vector<RangeCount>& ranges,
                                   const std::vector<RangeCount>& functions) {
  struct Boundary {
    uint64_t begin_count = 0, end_count = 0;
    bool zero_begins = false, zero_ends = false;
  };
  std::map<ElfAddr, Boundary> boundaries;
  for (const RangeCount& range : ranges) {
    Boundary& begin = boundaries[range.first];
    begin.begin_count = saturating_add(begin.begin_count, range.count);
    Boundary& end = boundaries[range.last];
    end.end_count = saturating_add(end.end_count, range.count);
  }
  for (const RangeCount& function : functions) {
    // A range that was counted over exactly the same code is not zero.
    auto counted = std::lower_bound(ranges.begin(), ranges.end(), function,
                                    [](const RangeCount& a, const RangeCount& b) {
                                      return std::tie(a.first, a.last) < std::tie(b.first, b.last);
                                    });
    if (counted != ranges.end() && counted->first == function.first &&
        counted->last == function.last)
      continue;
    boundaries[function.first].zero_begins = true;
    boundaries[function.last].zero_ends = true;
  }

  std::vector<Segment> segments;
  uint64_t running = 0;
  int64_t zero_depth = 0;
  std::optional<ElfAddr> open;  // where the current segment starts
  for (const auto& [at, boundary] : boundaries) {
    if (boundary.begin_count != 0 || boundary.zero_begins) {
      if (open) segments.push_back({*open, ElfAddr{at.value - 1}, running});
      running = saturating_add(running, boundary.begin_count);
      open = at;
      zero_depth += boundary.zero_begins;
    }
    if (boundary.end_count != 0 || boundary.zero_ends) {
      segments.push_back({open.value_or(at), at, running});
      running -= std::min(running, boundary.end_count);
      open = ElfAddr{at.value + 1};
      zero_depth -= boundary.zero_ends;
      if (running == 0 && zero_depth == 0) open.reset();
    }
  }
  return segments;
}

}  // namespace pgo
