// posix_spawn, sigwaitinfo and waitpid.
//
// A signal that comes while the recording is being written is blocked: it ends this process when
// the Foreground goes away, and by then what was begun is whole or gone. No handler is installed,
// so nothing has to be safe inside of one.
#include "pgo/record/foreground.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "pgo/base/deferred_termination.h"

extern char** environ;

namespace pgo {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
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

Result<int> Foreground::run(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& environment, int for_hangup) const {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults_);
  posix_spawnattr_setsigmask(&attributes, &mask_before_);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  int reason = ::posix_spawn(&child, arguments[0].c_str(), nullptr, &attributes,
                             pointers_to(arguments).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (reason != 0)
    return fail(ErrorKind::kIo, "cannot run " + arguments[0] + ": " + std::strerror(reason));
  Result<int> exit_status = wait_for(child, for_hangup);
  if (!exit_status) {
    return fail(ErrorKind::kIo,
                "cannot wait for " + arguments[0] + ": " + exit_status.error().message);
  }
  return exit_status;
}

// The signals are blocked and fetched here one by one, so that none falls between a look at the
// command and the wait for the next.
Result<int> Foreground::wait_for(pid_t child, int for_hangup) const {
  for (;;) {
    int status = 0;
    pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (ended < 0 && errno != EINTR) return fail(ErrorKind::kIo, std::strerror(errno));
    int signal = ::sigwaitinfo(&awaited_, nullptr);
    if (signal == SIGTERM) ::kill(child, SIGTERM);
    if (signal == SIGHUP) ::kill(child, for_hangup);
  }
}

std::vector<std::string> current_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; variable++)
    variables.emplace_back(*variable);
  return variables;
}

}  // namespace pgo
