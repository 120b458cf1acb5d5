// Draws: random numbers of the usual distributions, the same for a seed everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pgo/base/portable_math.h"
#include "tests/data/random_numbers.h"

namespace pgo::verify {

// Uses only exp, log and square roots that have the same bits everywhere.
class Draws {
 public:
  explicit Draws(uint64_t seed) : random_(seed) {}

  // Marsaglia's polar method.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u = 0, v = 0, s = 0;
    do {
      u = 2 * random_.uniform() - 1;
      v = 2 * random_.uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s <= 0);
    double scale = std::sqrt(-2 * portable_log(s) / s);
    spare_ = v * scale;
    has_spare_ = true;
    return u * scale;
  }

  // Of the mean `shape`. Marsaglia and Tsang, "A simple method for generating gamma variables",
  // 2000.
  double gamma(double shape) {
    if (shape < 1) {
      double u = std::max(random_.uniform(), 1e-300);
      return gamma(shape + 1) * portable_exp(portable_log(u) / shape);
    }
    double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    while (true) {
      double x = normal(), v = 1 + c * x;
      if (v <= 0) continue;
      v = v * v * v;
      double u = std::max(random_.uniform(), 1e-300);
      if (portable_log(u) < x * x / 2 + d - d * v + d * portable_log(v)) return d * v;
    }
  }

  double poisson(double mean) {
    if (mean <= 0) return 0;
    if (mean > 30) {  // the normal distribution, and the first term of what it lacks in skewness
      double z = normal();
      return std::max(0.0, std::floor(mean + z * std::sqrt(mean) + (z * z - 1) / 6 + .5));
    }
    double product = random_.uniform(), least = portable_exp(-mean), count = 0;
    for (; product > least; product *= random_.uniform()) count++;
    return count;
  }

  double uniform() { return random_.uniform(); }

  uint32_t hour() { return static_cast<uint32_t>(random_.uniform() * 24); }

 private:
  RandomNumbers random_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace pgo::verify
