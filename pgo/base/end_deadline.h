// EndDeadline: when a program that was asked to end gives up what it still has under way.
//
//   auto deadline = std::make_shared<EndDeadline>();
//   ... each part that waits for a server calls deadline->is_over() again and again ...
//
// It is one object for all parts of a program: the time begins once, at the request, and not again
// with the next part. A signal that waits does not tell when it came, so the first call that finds
// it notes the time.
#pragma once

#include <chrono>
#include <optional>

namespace pgo {

// From the request to end. systemd kills a service 90 seconds after it, and Kubernetes 30.
inline constexpr std::chrono::seconds kTimeAtEnd(20);

// Of one thread.
class EndDeadline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Nothing while is_asked_to_end() is false.
  std::optional<Time> time();
  bool is_over();

 private:
  std::optional<Time> time_;
};

}  // namespace pgo
