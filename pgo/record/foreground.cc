// posix_spawn and waitpid. Signals that this process was itself started with as ignored (nohup)
// stay ignored in the command.
#include "pgo/record/foreground.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

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

class IgnoredInterrupts {
 public:
  IgnoredInterrupts() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    ::sigemptyset(&defaults_);
    for (size_t i = 0; i < 2; i++) {
      ::sigaction(kSignals[i], &ignore, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaddset(&defaults_, kSignals[i]);
    }
  }
  IgnoredInterrupts(const IgnoredInterrupts&) = delete;
  IgnoredInterrupts& operator=(const IgnoredInterrupts&) = delete;
  ~IgnoredInterrupts() {
    for (size_t i = 0; i < 2; i++) ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  // What the command must get back to its default.
  const sigset_t& defaults() const { return defaults_; }

 private:
  static constexpr int kSignals[2] = {SIGINT, SIGQUIT};
  struct sigaction before_[2] = {};
  sigset_t defaults_;
};

}  // namespace

Result<int> run_in_foreground(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& environment) {
  IgnoredInterrupts interrupts;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &interrupts.defaults());
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  int reason = ::posix_spawn(&child, arguments[0].c_str(), nullptr, &attributes,
                             pointers_to(arguments).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (reason != 0)
    return fail(ErrorKind::kIo, "cannot run " + arguments[0] + ": " + std::strerror(reason));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      return fail(ErrorKind::kIo, "cannot wait for " + arguments[0] + ": " + std::strerror(errno));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<std::string> current_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; variable++)
    variables.emplace_back(*variable);
  return variables;
}

}  // namespace pgo
