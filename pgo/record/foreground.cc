// fork, sigwaitinfo and waitpid. fork, because posix_spawn cannot ask for a signal for when this
// process is gone.
//
// A signal that comes while the recording is being written is blocked: it ends this process when
// the Foreground goes away, and by then what was begun is whole or gone. No handler is installed,
// so nothing has to be safe inside of one.
#include "pgo/record/foreground.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/program_start.h"

namespace pgo {
namespace {

timespec timespec_of(std::chrono::milliseconds interval) {
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(interval);
  return {.tv_sec = seconds.count(),
          .tv_nsec = std::chrono::nanoseconds(interval - seconds).count()};
}

}  // namespace

Foreground::Foreground() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  ::sigemptyset(&defaults_);
  for (size_t i = 0; i < 2; i++) {
    ::sigaction(kIgnored[i], &ignore, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaddset(&defaults_, kIgnored[i]);
  }
  // An ignored SIGCHLD would have the kernel reap the command, exit status and all.
  struct sigaction by_default{};
  by_default.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &by_default, &child_before_);
  ::sigemptyset(&awaited_);
  ::sigaddset(&awaited_, SIGCHLD);
  for (int signal : kForwarded)
    if (!is_ignored(signal)) ::sigaddset(&awaited_, signal);
  ::pthread_sigmask(SIG_BLOCK, &awaited_, &mask_before_);
}

Foreground::~Foreground() {
  for (size_t i = 0; i < 2; i++) ::sigaction(kIgnored[i], &before_[i], nullptr);
  ::sigaction(SIGCHLD, &child_before_, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

// In the new process: becomes the command, or tells the parent through `failure` why it cannot.
// Calls only what is safe after a fork.
void Foreground::become(const Care& care, char* const* arguments, char* const* environment,
                        pid_t parent, int failure) const {
  // A killed parent has no time to end its command.
  if (care.when_killed) {
    ::prctl(PR_SET_PDEATHSIG, *care.when_killed);
    if (::getppid() != parent) ::_exit(128 + *care.when_killed);
  }
  struct sigaction by_default{};
  by_default.sa_handler = SIG_DFL;
  for (int signal : kIgnored)
    if (::sigismember(&defaults_, signal) == 1) ::sigaction(signal, &by_default, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  ::execve(care.path.c_str(), arguments, environment);
  int reason = errno;
  ssize_t ignored = ::write(failure, &reason, sizeof reason);
  ::_exit(ignored < 0 ? 126 : 127);
}

Result<int> Foreground::run(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& environment, int for_hangup) const {
  return start_and_wait(
      arguments, environment,
      {.path = arguments.at(0), .for_hangup = for_hangup, .when_killed = for_hangup});
}

Result<int> Foreground::run_watched(const std::string& path,
                                    const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& environment,
                                    std::chrono::milliseconds interval,
                                    const std::function<void()>& meanwhile) const {
  return start_and_wait(
      arguments, environment,
      {.path = path, .for_hangup = SIGHUP, .interval = interval, .meanwhile = meanwhile});
}

Result<int> Foreground::start_and_wait(const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& environment,
                                       const Care& care) const {
  auto failure = [&](int reason) {
    return fail(ErrorKind::kIo, "cannot run " + care.path + ": " + std::strerror(reason));
  };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failure(errno);
  const std::vector<char*> words = pointers_to(arguments), variables = pointers_to(environment);
  const pid_t parent = ::getpid();
  pid_t child = ::fork();
  if (child == 0) become(care, words.data(), variables.data(), parent, ends[1]);
  int reason = child < 0 ? errno : 0;
  ::close(ends[1]);
  // The pipe ends when the command has started, or tells why it could not.
  bool failed = child < 0 || ::read(ends[0], &reason, sizeof reason) == sizeof reason;
  ::close(ends[0]);
  if (failed && child > 0) ::waitpid(child, nullptr, 0);
  if (failed) return failure(reason);
  Result<int> exit_status = wait_for(child, care);
  if (!exit_status) {
    return fail(ErrorKind::kIo,
                "cannot wait for " + care.path + ": " + exit_status.error().message);
  }
  return exit_status;
}

// The signals are blocked and fetched here one by one, so that none falls between a look at the
// command and the wait for the next.
Result<int> Foreground::wait_for(pid_t child, const Care& care) const {
  const timespec interval = timespec_of(care.interval);
  for (;;) {
    int status = 0;
    pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (ended < 0 && errno != EINTR) return fail(ErrorKind::kIo, std::strerror(errno));
    int signal = care.meanwhile ? ::sigtimedwait(&awaited_, nullptr, &interval)
                                : ::sigwaitinfo(&awaited_, nullptr);
    if (signal == SIGTERM) ::kill(child, SIGTERM);
    if (signal == SIGHUP) ::kill(child, care.for_hangup);
    if (care.meanwhile) care.meanwhile();
  }
}

}  // namespace pgo
