// `--pid $(pidof server)` gives several numbers for a service with workers. --pid takes one.
#pragma once

#include <algorithm>
#include <string_view>

namespace pgo {

inline constexpr const char* kSeveralPids =
    "--pid takes one process; --service NAME records all processes of a program";

inline bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](char letter) { return letter >= '0' && letter <= '9'; });
}

}  // namespace pgo
