// time_now(): the time of day, as parse_time() of time_text.h gives times.
#pragma once

#include <chrono>
#include <cstdint>

namespace pgo {

// Nanoseconds since 1970, in UTC, by the clock of the system.
inline int64_t time_now() {
  using std::chrono::duration_cast, std::chrono::nanoseconds, std::chrono::system_clock;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace pgo
