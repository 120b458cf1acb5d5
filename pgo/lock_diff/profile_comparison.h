// ProfileComparison: what is new in a compiler's profile against the one before: how much of it is
// where it was, and which functions became hot or are no more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/lock_diff/counted_profile.h"

namespace pgo {

// Hot are the hottest functions that together have 99 % of the counts.
enum class FunctionMove : uint8_t {
  kCame,   // hot, and not counted before
  kWent,   // was hot, and is not counted any more
  kMoved,  // its share changed
};

struct MovedFunction {
  std::string name;              // as CountedProfile has it
  double before = 0, after = 0;  // shares, 0 to 1
  FunctionMove move = FunctionMove::kMoved;
};

struct ProfileComparison {
  double overlap = 0;  // overlap_of() the two
  uint64_t came = 0, went = 0;
  // Those whose shares changed most first; equal ones by name.
  std::vector<MovedFunction> functions;
};

// With at most `top` functions. O(positions + functions * log functions).
ProfileComparison compare_profiles(const CountedProfile& before, const CountedProfile& after,
                                   size_t top);

}  // namespace pgo
