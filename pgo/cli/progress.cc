#include "pgo/cli/progress.h"

#include <unistd.h>

#include <cstdio>

namespace pgo {

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)), total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::update(uint64_t done) {
  using std::chrono::duration;
  Clock::time_point now = Clock::now();
  double seconds = duration<double>(now - started_).count();
  if (!terminal_ || seconds < 1 || duration<double>(now - drawn_).count() < 0.1) return;
  drawn_ = now;
  shown_ = true;
  double megabytes = static_cast<double>(done) / 1e6;
  std::fprintf(stderr, "\r\033[K%s: %.0f MB", what_.c_str(), megabytes);
  if (total_ != 0)
    std::fprintf(stderr, " of %.0f (%.0f %%)", static_cast<double>(total_) / 1e6,
                 100 * static_cast<double>(done) / static_cast<double>(total_));
  std::fprintf(stderr, ", %.0f MB/s", megabytes / seconds);
  std::fflush(stderr);
}

}  // namespace pgo
