// ProgressLine: shows progress as one line on a terminal, with rate and time left, for steps that
// take more than a second. Nothing when standard error is not a terminal.
//
//   PGO_TRY(DiffResult result, with_progress(request.progress, [&] { return diff(request); }));
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "pgo/base/progress.h"

namespace pgo {

// The time that the rest of a step will take, if it goes on as in its first `seconds`. Nothing when
// that is not known.
std::optional<uint64_t> seconds_left(const Progress& step, double seconds);

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  // wipes the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Redraws ten times a second at most.
  void show(const Progress& step);
  // Calls show(); this must outlive it.
  ProgressFn listener() {
    return [this](const Progress& step) { show(step); };
  }

 private:
  using Clock = std::chrono::steady_clock;

  void wipe();

  std::string what_;  // the step that is shown
  bool terminal_;
  bool shown_ = false;
  Clock::time_point started_ = Clock::now(), drawn_ = started_;
};

// Calls `work`, whose progress goes to `listener`, and shows it on a line that is gone afterwards,
// before anything else is printed.
template <typename Work>
auto with_progress(ProgressFn& listener, const Work& work) {
  struct Listening {
    ProgressFn& to;
    ~Listening() { to = nullptr; }  // the line is gone, too
  };
  ProgressLine line;
  const Listening listening{listener};
  listener = line.listener();
  return work();
}

}  // namespace pgo
