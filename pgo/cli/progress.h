// Progress: one line on a terminal, with rate, for work that takes more than a second. Nothing when
// standard error is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace pgo {

class Progress {
 public:
  // `what` is shown before the numbers; `total` is in bytes, 0 when not known.
  Progress(std::string what, uint64_t total);
  ~Progress();  // wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Says how many bytes are done in all; redraws ten times a second at most.
  void update(uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  uint64_t total_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point started_ = Clock::now(), drawn_ = started_;
};

}  // namespace pgo
