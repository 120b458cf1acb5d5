// Random: numbers that look random and are the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace queryd {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}

  uint64_t below(uint64_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (state_ >> 11) % n;
  }
  // From `first` to `last`.
  uint64_t within(uint64_t first, uint64_t last) { return first + below(last - first + 1); }
  // Below n, small numbers likelier: few customers do most of the asking.
  uint64_t skewed(uint64_t n) { return below(below(n) + 1); }
  bool one_in(uint64_t n) { return below(n) == 0; }

  template <typename T, size_t N>
  const T& pick(const T (&items)[N]) {
    return items[skewed(N)];
  }

 private:
  uint64_t state_;
};

}  // namespace queryd
