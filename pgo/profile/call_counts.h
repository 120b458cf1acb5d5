// CallCounts: adds up who called whom over many stacks.
//
//   CallCounts calls(binaries);
//   calls.add(frames, count);  // for each stack
//   calls.add_to(profile.binaries);
//
// Stacks are many and deep and repeat each other, so what was added is merged whenever it has
// doubled: memory is in proportion to what is different.
#pragma once

#include <span>
#include <vector>

#include "pgo/profile/address_profile.h"

namespace pgo {

struct StackFrame {
  size_t binary = 0;
  OptElfAddr addr;  // nothing: in none of the binaries
};

class CallCounts {
 public:
  explicit CallCounts(size_t binaries) : calls_(binaries) {}

  // `frames` are leaf first, where the sample was. Of a function that calls itself the same pair
  // comes again and counts once. O(n log n) for n frames.
  void add(std::span<const StackFrame> frames, uint64_t count);
  // binaries[i].calls get those of binary i; normalize() afterwards.
  void add_to(std::vector<BinaryCounts>& binaries) const;

 private:
  struct Calls {
    std::vector<CallEdge> edges;
    size_t merge_at = 0;  // when there are so many
  };

  std::vector<Calls> calls_;
  std::vector<std::pair<size_t, CallEdge>> stack_;  // of one stack: binary and edge
};

}  // namespace pgo
