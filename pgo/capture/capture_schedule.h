// CaptureSchedule: when recordings begin: once in each interval, at a time that differs from host
// to host and from interval to interval.
//
//   CaptureSchedule schedule(now, {.interval = 10min, .duration = 30s, .seed = seed});
//   int64_t next = schedule.next(now);
//
// Hosts that record in step would all show the same moment (what runs at full hours), and would all
// slow down at once. Times are nanoseconds since 1970; intervals begin at multiples of the
// interval, so that a service that is restarted often does not record more often.
#pragma once

#include <cstdint>
#include <random>

namespace pgo {

struct CaptureTimes {
  int64_t interval = 0, duration = 0;  // nanoseconds
  uint64_t seed = 0;                   // differs from host to host
};

class CaptureSchedule {
 public:
  // Nothing is recorded in the part of an interval that has passed at `now`.
  CaptureSchedule(int64_t now, const CaptureTimes& times);

  // The begin of the next recording: in the interval behind the last one's, or in that of `now`
  // when it has passed. In an interval that has begun it is in what is left of it.
  int64_t next(int64_t now);

 private:
  CaptureTimes times_;
  int64_t interval_ = 0;  // its number; the last one that has a recording, or the one before
  std::mt19937_64 random_;
};

}  // namespace pgo
