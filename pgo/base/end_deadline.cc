#include "pgo/base/end_deadline.h"

#include "pgo/base/deferred_termination.h"

namespace pgo {

std::optional<EndDeadline::Time> EndDeadline::time() {
  if (!time_ && is_asked_to_end()) time_ = std::chrono::steady_clock::now() + kTimeAtEnd;
  return time_;
}

bool EndDeadline::is_over() {
  const std::optional<Time> end = time();
  return end && *end <= std::chrono::steady_clock::now();
}

}  // namespace pgo
