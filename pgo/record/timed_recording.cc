// perf runs in a process group of its own, with `sleep` as the command that tells it how long. Its
// output goes to a file: nobody has to read a pipe meanwhile.
#include "pgo/record/timed_recording.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <utility>

#include "pgo/base/program_start.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/unique_fd.h"
#include "pgo/record/recording_output.h"

namespace pgo {
namespace {

using Milliseconds = std::chrono::milliseconds;

// Beyond the duration: opening the events of many threads takes time, and so does completing a
// large file.
constexpr Milliseconds kTimeToStart{30'000}, kTimeToComplete{30'000};

std::string seconds_text(Milliseconds duration) {
  const std::string thousandths = std::to_string(1000 + duration.count() % 1000).substr(1);
  return std::to_string(duration.count() / 1000) + "." + thousandths;
}

PerfOptions perf_options(const PerfSetup& setup, const TimedRecording& wanted) {
  PerfOptions options;
  options.command = {"sleep", seconds_text(wanted.duration)};
  options.output = wanted.directory + "/perf.data";
  if (setup.cost) options.cost_output = wanted.directory + "/clock.data";
  options.period = wanted.period;
  options.pids = wanted.pids;
  return options;
}

enum class WaitEnd { kEnded, kAsked, kTimeout };

class RunningPerf {
 public:
  explicit RunningPerf(pid_t child)
      : child_(child), fd_(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))) {}

  // Without a descriptor of the process (Linux before 5.3), whether it has ended is asked often.
  WaitEnd wait(Milliseconds timeout, int termination) {
    constexpr Milliseconds kStep{50};
    const auto end = Clock::now() + timeout;
    for (;;) {
      const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now());
      if (has_ended()) return WaitEnd::kEnded;
      if (left.count() <= 0) return WaitEnd::kTimeout;
      const Milliseconds step = fd_.fd < 0 ? std::min(kStep, left) : left;
      pollfd waiting[] = {{fd_.fd, POLLIN, 0}, {termination, POLLIN, 0}};
      ::poll(waiting, 2, static_cast<int>(step.count()));
      if (waiting[1].revents != 0) return WaitEnd::kAsked;
    }
  }
  void send(int signal) const { ::kill(-child_, signal); }
  void kill_and_reap() {
    send(SIGKILL);
    while (!is_reaped_ && ::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool has_ended() {
    if (!is_reaped_) is_reaped_ = ::waitpid(child_, nullptr, WNOHANG) == child_;
    return is_reaped_;
  }

  pid_t child_;
  UniqueFd fd_;
  bool is_reaped_ = false;
};

std::string stderr_of(const std::string& path) {
  std::ifstream file(path);
  ProcessResult finished;
  finished.error.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return stderr_tail(finished);
}

}  // namespace

Result<TimedRun> record_for_some_time(const PerfSetup& setup, const TimedRecording& wanted,
                                      const DeferredTermination& termination) {
  const PerfOptions options = perf_options(setup, wanted);
  const std::string log = wanted.directory + "/perf.log";
  const UniqueFd output(::open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600));
  if (output.fd < 0) return io_failure(log, "cannot create");
  ProgramStart program{perf_command(setup, options)};
  program.output = program.error = output.fd;
  PGO_TRY(const pid_t child, start_program(program, termination));
  RunningPerf perf(child);
  WaitEnd end = perf.wait(wanted.duration + kTimeToStart, termination.fd());
  if (end != WaitEnd::kEnded) {
    perf.send(SIGTERM);
    end = perf.wait(kTimeToComplete, -1);
  }
  perf.kill_and_reap();
  if (end != WaitEnd::kEnded)
    return fail(ErrorKind::kIo, setup.perf + " did not end: " + stderr_of(log));
  TimedRun run;
  if (holds_recording(options.output)) run.recording = options.output;
  if (setup.cost && holds_recording(options.cost_output)) run.clock_recording = options.cost_output;
  if (run.recording.empty()) run.complaint = stderr_of(log);
  return run;
}

}  // namespace pgo
