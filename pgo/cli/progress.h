// Progress: one line on a terminal, with rate, for work that takes more than a second. Nothing when
// standard error is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace pgo {

class Progress {
 public:
  // What is counted: bytes, shown as megabytes, or things of a name ("compile units").
  static constexpr const char* kBytes = "MB";

  // `what` is shown before the numbers; `total` is 0 when not known. `unit` must outlive this.
  Progress(std::string what, uint64_t total, const char* unit = kBytes);
  ~Progress();  // wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Says how many are done in all; redraws ten times a second at most. From one thread at a time.
  void update(uint64_t done);
  void set_total(uint64_t total) { total_ = total; }

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  uint64_t total_;
  const char* unit_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point started_ = Clock::now(), drawn_ = started_;
};

}  // namespace pgo
