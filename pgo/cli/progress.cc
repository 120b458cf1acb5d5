#include "pgo/cli/progress.h"

#include <unistd.h>

#include <cstdio>

namespace pgo {

Progress::Progress(std::string what, uint64_t total, const char* unit)
    : what_(std::move(what)), total_(total), unit_(unit), terminal_(::isatty(STDERR_FILENO) == 1) {}

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
  double scale = unit_ == kBytes ? 1e6 : 1;
  auto scaled = [scale](uint64_t count) { return static_cast<double>(count) / scale; };
  std::fprintf(stderr, "\r\033[K%s: %.0f", what_.c_str(), scaled(done));
  if (total_ != 0)
    std::fprintf(stderr, " of %.0f %s (%.0f %%)", scaled(total_), unit_,
                 100 * scaled(done) / scaled(total_));
  else
    std::fprintf(stderr, " %s", unit_);
  std::fprintf(stderr, ", %.0f %s/s", scaled(done) / seconds, unit_);
  std::fflush(stderr);
}

}  // namespace pgo
