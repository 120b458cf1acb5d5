// exp, expm1 and log of the same bits everywhere. C libraries differ in the last bit. Inferring
// counts repeats a computation hundreds of times and amplifies it, and the comparison of two
// profiles must not depend on it. IEEE 754 fixes +, -, x, / and the square root, and nothing else
// is used. The error is below 2e-15 of the result.
//
// All code is compiled without contraction (-ffp-contract=off): a processor that multiplies and
// adds in one step rounds once, and clang, for others, does so with constants.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace pgo {

// The natural logarithm: of 0 minus infinity, of less not a number.
inline double portable_log(double x) {
  using Range = std::numeric_limits<double>;
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  if (!(x >= Range::min() && x <= Range::max())) {
    if (x > 0 && x < 1) return portable_log(x * 0x1p52) - 52 * kLn2;
    if (x > 0) return x;
    return x == 0 ? -Range::infinity() : Range::quiet_NaN();
  }
  // x = m * 2^exponent with m in [sqrt(1/2), sqrt(2)): the bits from those of sqrt(1/2) on.
  constexpr uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  constexpr uint64_t kExponentBits = 0x7ff0000000000000;
  auto bits = std::bit_cast<uint64_t>(x);
  uint64_t shifted = (bits - kRootOfHalf) & (kExponentBits | 0x8000000000000000);
  auto exponent = static_cast<double>(static_cast<int64_t>(shifted) >> 52);
  auto m = std::bit_cast<double>(bits - shifted);
  // log(m) = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172
  double s = (m - 1.0) / (m + 1.0), z = s * s;
  double series = 1.0 / 19;
  for (double odd : {17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0}) series = series * z + 1.0 / odd;
  return exponent * kLn2 + 2.0 * (s + s * z * series);
}

// (e^x - 1) / x, for |x| <= ln 2 / 2.
inline double portable_exp_series(double x) {
  // 1 / k!, the highest k first
  double series = 1.0 / 6227020800;
  for (double factorial : {479001600.0, 39916800.0, 3628800.0, 362880.0, 40320.0, 5040.0, 720.0,
                           120.0, 24.0, 6.0, 2.0, 1.0})
    series = series * x + 1.0 / factorial;
  return series;
}

// e^x; 0 below -700, and as for 700 above that.
inline double portable_exp(double x) {
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
  if (!(x > -700.0)) return 0.0;
  if (x > 700.0) x = 700.0;
  // x = n ln 2 + r with |r| <= ln 2 / 2; adding and subtracting 1.5 * 2^52 rounds to an integer.
  constexpr double kRounder = 0x1.8p52;
  double n = (x * kLog2E + kRounder) - kRounder;
  double r = (x - n * kLn2High) - n * kLn2Low;
  double series = portable_exp_series(r) * r + 1.0;
  auto power = static_cast<uint64_t>(static_cast<int64_t>(n) + 1023) << 52;
  return series * std::bit_cast<double>(power);
}

// e^x; 0 below -700, and infinity above 700.
inline double portable_exp_or_infinity(double x) {
  return x > 700.0 ? std::numeric_limits<double>::infinity() : portable_exp(x);
}

// e^x - 1, also exact where x is near 0; above 700 as for 700.
inline double portable_expm1(double x) {
  constexpr double kHalfLn2 = .34;
  if (x > -kHalfLn2 && x < kHalfLn2) return x * portable_exp_series(x);
  return portable_exp(x) - 1.0;
}

}  // namespace pgo
