// Weight: how much the samples of one input count in a merge or a conversion.
#pragma once

#include <cstdint>

namespace pgo {

// A fraction. Both parts are 1 to kMaxPart, so that no product with one overflows.
struct Weight {
  static constexpr uint64_t kMaxPart = 1'000'000;

  uint64_t numerator = 1, denominator = 1;
  bool operator==(const Weight&) const = default;
};

}  // namespace pgo
