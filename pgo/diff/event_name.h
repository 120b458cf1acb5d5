// EventName: splits the name of a perf event from its modifiers: "cycles:Pu" counts cycles in user
// code, with the highest precision of the sampled address.
//
// Only the letters of perf's modifiers are recognized, so tracepoints ("sched:sched_switch") and
// sample types of other profilers keep their names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace pgo {

struct EventName {
  std::string_view event;      // "cycles"
  std::string_view modifiers;  // "Pu"; empty: none

  // Without u, k and h, an event counts both user code and the kernel.
  bool counts_user_code() const { return !names_modes() || has('u'); }
  bool counts_kernel() const { return !names_modes() || has('k'); }
  // The precision of the sampled address: 0 to 3, or kMost for "as precise as possible".
  ptrdiff_t precision() const {
    constexpr ptrdiff_t kMost = 4;
    return has('P') ? kMost : std::count(modifiers.begin(), modifiers.end(), 'p');
  }

 private:
  bool has(char modifier) const { return modifiers.find(modifier) != modifiers.npos; }
  bool names_modes() const { return has('u') || has('k') || has('h'); }
};

// The result refers to `name`.
EventName split_event_name(std::string_view name);

}  // namespace pgo
