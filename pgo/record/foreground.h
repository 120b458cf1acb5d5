// Runs a command in the place of this process: its streams, its terminal, its signals.
//
//   Foreground foreground;  // before anything is made that has to be removed
//   PGO_TRY(int exit_status, foreground.run(arguments, current_environment(), SIGHUP));
#pragma once

#include <signal.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

// While one exists, no request to end takes this process unawares: SIGINT and SIGQUIT, which a
// terminal sends to the command as well, are ignored; SIGTERM and SIGHUP go to the command while it
// runs and otherwise wait until this goes out of scope. What this process was itself started with
// as ignored (nohup) stays ignored, here and in the command. One at a time, and in a process of one
// thread.
class Foreground {
 public:
  Foreground();
  Foreground(const Foreground&) = delete;
  Foreground& operator=(const Foreground&) = delete;
  ~Foreground();

  // Runs arguments[0], a path, with `environment` ("NAME=value"), this process's standard streams
  // and the signals' actions as they were, and waits for it. `for_hangup` is what it gets when this
  // process gets a SIGHUP, or is killed. Returns its exit status, or 128 + the signal's number when
  // a signal ended it. Error: kIo when it cannot be started.
  Result<int> run(const std::vector<std::string>& arguments,
                  const std::vector<std::string>& environment, int for_hangup) const;
  // The same, but calls `meanwhile` every so often until the command has ended. The command, whose
  // file is `path`, gets a SIGHUP for a SIGHUP, and goes on when this process is killed.
  Result<int> run_watched(const std::string& path, const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment,
                          std::chrono::milliseconds interval,
                          const std::function<void()>& meanwhile) const;

 private:
  // What the command gets when something happens to this process, and what is done while it runs.
  struct Care {
    std::string path;
    int for_hangup = 0;
    std::optional<int> when_killed = {};
    std::chrono::milliseconds interval = {};  // zero: nothing is done
    std::function<void()> meanwhile = {};
  };
  Result<int> start_and_wait(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment, const Care& care) const;
  [[noreturn]] void become(const Care& care, char* const* arguments, char* const* environment,
                           pid_t parent, int failure) const;
  Result<int> wait_for(pid_t child, const Care& care) const;

  static constexpr int kIgnored[2] = {SIGINT, SIGQUIT};
  static constexpr int kForwarded[2] = {SIGTERM, SIGHUP};
  struct sigaction before_[2] = {};  // of kIgnored
  struct sigaction child_before_ = {};
  sigset_t mask_before_;
  sigset_t defaults_;  // what the command must get back to its default
  sigset_t awaited_;
};

}  // namespace pgo
