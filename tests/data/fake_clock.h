// FakeClock: the clock of an HttpClient that moves when a test says so.
//
//   FakeClock clock;
//   options.now = clock.function();
//   clock.advance_when_idle(31);      in the server's thread: the client has taken what was sent
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace pgo::test {

class FakeClock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  std::function<Time()> function() {
    return [this] {
      const std::lock_guard lock(mutex_);
      looks_++;
      looked_.notify_all();
      return now_;
    };
  }

  // After the client has looked at the clock so often that it has taken what was sent before, and
  // waits. A client that looks no more, for a minute, has ended.
  void advance_when_idle(double seconds) {
    constexpr uint64_t kLooks = 5;  // a round of its loop has three
    std::unique_lock lock(mutex_);
    const uint64_t end = looks_ + kLooks;
    looked_.wait_for(lock, std::chrono::minutes(1), [&] { return looks_ >= end; });
    now_ += std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
  }

  // Until the client has looked at the time as it is now.
  void wait_until_seen() { advance_when_idle(0); }

 private:
  std::mutex mutex_;
  std::condition_variable looked_;
  uint64_t looks_ = 0;
  Time now_ = Time() + std::chrono::hours(1);
};

}  // namespace pgo::test
