#include "pgo/cli/terminal/progress_line.h"

#include <unistd.h>

#include <cstdio>

#include "pgo/report/text_sheet.h"

namespace pgo {

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { wipe(); }

std::optional<uint64_t> seconds_left(const Progress& step, double seconds) {
  constexpr double kLongest = 1e6;
  if (step.done == 0 || step.total <= step.done || seconds <= 0) return std::nullopt;
  const double left =
      seconds * static_cast<double>(step.total - step.done) / static_cast<double>(step.done);
  return left < kLongest ? std::optional(static_cast<uint64_t>(left + .5)) : std::nullopt;
}

void ProgressLine::wipe() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressLine::show(const Progress& step) {
  using std::chrono::duration;
  if (!terminal_) return;
  Clock::time_point now = Clock::now();
  if (step.what != what_) {
    wipe();
    what_ = step.what;
    started_ = now;
  }
  double seconds = duration<double>(now - started_).count();
  if (seconds < 1 || duration<double>(now - drawn_).count() < 0.1) return;
  drawn_ = now;
  shown_ = true;
  const bool is_bytes = std::string_view(step.unit) == Progress::kBytes;
  const char* unit = is_bytes ? "MB" : step.unit;
  auto scaled = [&](uint64_t count) { return static_cast<double>(count) / (is_bytes ? 1e6 : 1); };
  std::fprintf(stderr, "\r\033[K%s: %.0f", printable(step.what).c_str(), scaled(step.done));
  if (step.total != 0)
    std::fprintf(stderr, " of %.0f %s (%.0f %%)", scaled(step.total), unit,
                 100 * scaled(step.done) / scaled(step.total));
  else
    std::fprintf(stderr, " %s", unit);
  if (const double rate = scaled(step.done) / seconds; rate >= 1)
    std::fprintf(stderr, ", %.0f %s/s", rate, unit);
  if (const std::optional<uint64_t> left = seconds_left(step, seconds))
    std::fprintf(stderr, ", %llu s left", static_cast<unsigned long long>(*left));
  std::fflush(stderr);
}

}  // namespace pgo
