#include "pgo/profile/merge_factor.h"

#include <algorithm>

namespace pgo {

MergeFactor MergeFactor::of(WideFactor numerator, WideFactor denominator) {
  constexpr WideFactor kMax = WideFactor{1} << (kBits + 30);
  WideFactor units = ((numerator << kBits) + denominator / 2) / denominator;
  return {static_cast<uint64_t>(std::min(units, kMax))};
}

}  // namespace pgo
