// Rounds: lets requests go on only when as many have come as a client should send at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace pgo::test {

class Rounds {
 public:
  explicit Rounds(size_t at_once) : at_once_(at_once) {}

  // Until the round of this call is full. Waits a minute once, for a client that sends less.
  void wait() {
    std::unique_lock lock(mutex_);
    const size_t full = (arrived_++ / at_once_ + 1) * at_once_;
    changed_.notify_all();
    is_broken_ |= !changed_.wait_for(lock, std::chrono::minutes(1),
                                     [&] { return is_broken_ || arrived_ >= full; });
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t at_once_, arrived_ = 0;
  bool is_broken_ = false;
};

}  // namespace pgo::test
