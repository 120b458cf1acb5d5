// perf runs in a process group of its own. Its output goes to a file, because this process
// waits and reads no pipe. The command that tells it how long is `timeout SECONDS cat`: `cat` reads
// a pipe whose other end only this process holds. So the command ends, and perf with it, when this
// process is gone, however it ended. (A signal at the parent's death would not reach a perf whose
// file has capabilities.)
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

// "30" or "1.500": not every timeout (busybox) takes fractions.
std::string seconds_text(Milliseconds duration) {
  const std::string seconds = std::to_string(duration.count() / 1000);
  if (duration.count() % 1000 == 0) return seconds;
  return seconds + "." + std::to_string(1000 + duration.count() % 1000).substr(1);
}

PerfOptions perf_options(const PerfSetup& setup, const TimedRecording& wanted) {
  PerfOptions options;
  options.command = {"timeout", seconds_text(wanted.duration), "cat"};
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
  WaitEnd wait(Milliseconds timeout, int termination) const {
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
  // Until perf is reaped, no other process group can get its number.
  void kill_and_reap() const {
    send(SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool has_ended() const {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == child_;
  }

  pid_t child_;
  UniqueFd fd_;
};

// A pipe that nothing is written to: who reads it finds its end when this process closes it.
struct Lifeline {
  UniqueFd read_end{-1}, held_end{-1};

  Lifeline() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) == 0) read_end.fd = ends[0], held_end.fd = ends[1];
  }
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
  Lifeline lifeline;
  if (lifeline.read_end.fd < 0) return io_failure(setup.perf, "cannot start");
  ProgramStart program{perf_command(setup, options)};
  program.input = lifeline.read_end.fd;
  program.output = program.error = output.fd;
  PGO_TRY(const pid_t child, start_program(program, termination));
  RunningPerf perf(child);
  WaitEnd end = perf.wait(wanted.duration + wanted.time_to_start, termination.fd());
  if (end != WaitEnd::kEnded) {
    perf.send(SIGTERM);
    end = perf.wait(wanted.time_to_complete, -1);
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
