// Weight: how much the samples of one input count in a merge, a conversion or a comparison.
#pragma once

#include <cstdint>

namespace pgo {

// A fraction. Both parts are 1 to kMaxPart, so that no product with one overflows.
struct Weight {
  static constexpr uint64_t kMaxPart = 1'000'000;

  uint64_t numerator = 1, denominator = 1;
  bool operator==(const Weight&) const = default;
};

// What one member of a group counts, where all count 1 on average. Both parts are 1 to kMaxPart.
struct RelativeWeight {
  static constexpr uint64_t kMaxPart = uint64_t{1} << 40;

  uint64_t numerator = 1, denominator = 1;
  bool is_one() const { return numerator == denominator; }
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  bool operator==(const RelativeWeight&) const = default;
};

}  // namespace pgo
