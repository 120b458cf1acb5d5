// WideSum: an exact sum of counts, each times a factor, while profiles are merged.
#pragma once

#include <cstdint>

#include "pgo/profile/merge_factor.h"

namespace pgo {

__extension__ using WideSum = unsigned __int128;  // in units of 2^-32; stops at the largest

inline WideSum add_up(WideSum a, WideSum b) {
  WideSum sum = a + b;
  return sum < a ? ~WideSum{0} : sum;
}

inline WideSum scaled(uint64_t count, MergeFactor factor) { return WideSum{count} * factor.units; }

// To the nearest integer, halves up; stops at the largest number.
inline uint64_t rounded(WideSum sum) {
  constexpr uint64_t kMax = ~uint64_t{0};
  const WideSum whole = sum >> MergeFactor::kBits;
  const bool up = (sum >> (MergeFactor::kBits - 1) & 1) != 0;
  if (whole >= kMax) return kMax;
  return static_cast<uint64_t>(whole) + (up ? 1 : 0);
}

}  // namespace pgo
