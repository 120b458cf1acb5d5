// From the traces of one binary to what a compiler's profile is made of: how often straight-line
// ranges ran and branches were taken, and from ranges to counts of disjoint segments of code.
// The rules are llvm-profgen's (LLVM 22), down to the count. Both steps sort on `jobs` threads (0:
// all cores).
#pragma once

#include <cstdint>
#include <vector>

#include "pgo/profile/address_profile.h"
#include "pgo/profile/code_map.h"

namespace pgo {

// Code that ran from `first` to `last` with no taken branch between; both start instructions.
struct RangeCount {
  ElfAddr first, last;
  uint64_t count = 0;
  bool operator==(const RangeCount&) const = default;
};

// A taken branch into the binary's code; `from` is nothing when it came from elsewhere.
struct BranchCount {
  OptElfAddr from;
  ElfAddr to;
  uint64_t count = 0;
  bool operator==(const BranchCount&) const = default;
};

struct CodeCounts {
  std::vector<RangeCount> ranges;     // sorted by (first, last), unique
  std::vector<BranchCount> branches;  // sorted by (from, to), unique
  uint64_t broken_ranges = 0;         // ranges that no execution can have run straight through
};

// What the traces of `counts` mean for LLVM. A range must start and end at instructions, in order,
// with no call, return or direct jump before its last one. O(traces log traces +
// bytes of the code that any range holds).
CodeCounts count_code(const BinaryCounts& counts, const CodeMap& code, unsigned jobs);

// How often the bytes from `first` to `last` (inclusive) ran. Segments are disjoint and in order;
// some are empty (last < first) and some zero.
struct Segment {
  ElfAddr first, last;
  uint64_t count = 0;
  bool operator==(const Segment&) const = default;
};

// Cuts overlapping ranges where any of them begins or ends, adding up the counts; code of
// `functions` (whole ranges, `count` ignored) that no range covers comes out as zero.
// O(n log n) for n ranges.
std::vector<Segment> find_segments(const std::vector<RangeCount>& ranges,
                                   const std::vector<RangeCount>& functions, unsigned jobs);

}  // namespace pgo
