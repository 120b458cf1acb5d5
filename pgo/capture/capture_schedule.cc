#include "pgo/capture/capture_schedule.h"

#include <algorithm>

namespace pgo {

CaptureSchedule::CaptureSchedule(int64_t now, const CaptureTimes& times)
    : times_(times), interval_(now / times.interval - 1), random_(times.seed) {}

int64_t CaptureSchedule::next(int64_t now) {
  // The clock was set back: count the intervals from here.
  if (now / times_.interval < interval_ - 1) interval_ = now / times_.interval - 1;
  interval_ = std::max(interval_ + 1, now / times_.interval);
  // A recording ends in its interval, if it fits into what is left of it.
  const int64_t begin = std::max(interval_ * times_.interval, now);
  const int64_t left = (interval_ + 1) * times_.interval - begin;
  const int64_t room = left - times_.duration;
  if (room < 0) return times_.duration > times_.interval ? begin : next(begin + left);
  // Modulo favours small numbers, by one part in billions.
  return begin + static_cast<int64_t>(random_() % static_cast<uint64_t>(room + 1));
}

}  // namespace pgo
