// EventName: the name of an event as perf writes it, apart from its modifiers: "cycles:Pu" counts
// cycles, in user code, and each sample names the instruction itself.
//
// Only letters that perf has for modifiers are taken for some. So tracepoints,
// "sched:sched_switch", keep their names, and so do sample types of other profilers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace pgo {

struct EventName {
  std::string_view event;      // "cycles"
  std::string_view modifiers;  // "Pu"; empty: none

  // Which code does it count? Without u, k and h both.
  bool counts_user_code() const { return !names_modes() || has('u'); }
  bool counts_kernel() const { return !names_modes() || has('k'); }
  // How exactly samples name their instructions: 0 to 3, or the most that there is.
  ptrdiff_t precision() const {
    constexpr ptrdiff_t kMost = 4;
    return has('P') ? kMost : std::count(modifiers.begin(), modifiers.end(), 'p');
  }

 private:
  bool has(char modifier) const { return modifiers.find(modifier) != modifiers.npos; }
  bool names_modes() const { return has('u') || has('k') || has('h'); }
};

// Views of `name`.
EventName split_event_name(std::string_view name);

}  // namespace pgo
