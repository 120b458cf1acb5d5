// LeafShares: in which functions a profile's samples were themselves, as shares of the whole: what
// profiles are compared by when there are thousands of them.
//
// A leaf is a function by name, or, where there are no names, a piece of 256 bytes of a file's
// code. It is known by a hash alone, the same in each process: two leaves that share one would be
// compared as one, which moves an overlap by the smaller of their shares.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

struct LeafShares {
  // The largest of a profile; the others are one leaf together.
  static constexpr size_t kMaxLeaves = 1000;
  static constexpr uint64_t kOthers = 0;

  std::vector<std::pair<uint64_t, double>> shares;  // by leaf, sorted; they sum up to 1
  // The largest.
  std::string top_name;
  double top_share = 0;

  bool operator==(const LeafShares&) const = default;
};

// Of the values of a sample type, as far as they are above 0. Empty when none is. O(samples).
LeafShares leaf_shares(const StackProfile& profile, size_t type);
// Of the branch records, by where their branches went, or of the PC samples where there are none.
LeafShares leaf_shares(const AddressProfile& profile);

// What two have in common: the sum of the lesser share of each leaf, 0 to 1. O(leaves).
double overlap_of(const LeafShares& a, const LeafShares& b);

// The mean of several, each with a weight. O(leaves log leaves).
class MeanLeafShares {
 public:
  void add(const LeafShares& one, double weight);
  bool empty() const { return sums_.empty(); }
  LeafShares mean() const;

 private:
  std::map<uint64_t, double> sums_;
  double weight_ = 0;
};

}  // namespace pgo
