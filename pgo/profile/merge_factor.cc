#include "pgo/profile/merge_factor.h"

#include <algorithm>

namespace pgo {

namespace {

constexpr WideFactor kMaxUnits = WideFactor{1} << (MergeFactor::kBits + 30);

}  // namespace

MergeFactor MergeFactor::of(WideFactor numerator, WideFactor denominator) {
  WideFactor result = ((numerator << kBits) + denominator / 2) / denominator;
  return {static_cast<uint64_t>(std::min(result, kMaxUnits))};
}

MergeFactor MergeFactor::times(const RelativeWeight& weight) const {
  WideFactor result =
      (WideFactor{units} * weight.numerator + weight.denominator / 2) / weight.denominator;
  return {static_cast<uint64_t>(std::min(result, kMaxUnits))};
}

}  // namespace pgo
