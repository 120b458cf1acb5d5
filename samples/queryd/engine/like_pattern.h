// LikePattern: the right side of `like`. % stands for any characters, _ for one. Most patterns have
// a % at one end or at both, and need no search with steps back.
#pragma once

#include <cstdint>
#include <string_view>

namespace queryd {

class LikePattern {
 public:
  // Refers to `pattern`.
  explicit LikePattern(std::string_view pattern);

  // O(size) but for patterns with several %: O(size x pattern).
  bool matches(std::string_view text) const;

 private:
  enum class Shape : uint8_t { kWhole, kStart, kEnd, kWithin, kOther };

  Shape shape_ = Shape::kOther;
  std::string_view part_;  // without the % at its ends, unless kOther
};

}  // namespace queryd
