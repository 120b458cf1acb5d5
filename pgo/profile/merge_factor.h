// MergeFactor: what the values of one profile are multiplied by when profiles are merged, a
// multiple of 2^-32. Sums of products with it are exact; they are rounded once, at the end.
#pragma once

#include <cstdint>

#include "pgo/profile/weight.h"

namespace pgo {

__extension__ using WideFactor = unsigned __int128;

// In units of 2^-32.
struct MergeFactor {
  static constexpr int kBits = 32;
  uint64_t units = uint64_t{1} << kBits;

  // numerator / denominator, to the nearest unit; stops at 2^30. `denominator` is not 0, and
  // `numerator` less than 2^95.
  static MergeFactor of(WideFactor numerator, WideFactor denominator);
  static MergeFactor of(const RelativeWeight& weight) {
    return of(weight.numerator, weight.denominator);
  }
  // This times a weight, in the same way.
  MergeFactor times(const RelativeWeight& weight) const;
  bool operator==(const MergeFactor&) const = default;
};

}  // namespace pgo
