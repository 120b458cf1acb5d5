// DeferredTermination: a time in which this process does not end in the middle. What it has made in
// the file system for a while (TemporaryDirectory, AtomicFile) goes away with the objects that hold
// it, so it must not be ended before they are.
//
//   DeferredTermination termination;  // before what has to be removed, so that it outlives it
//   PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
//   PGO_TRY(ProcessResult finished, run_subprocess({tool, directory.file("input")}));
//
// A SIGINT, SIGTERM or SIGHUP waits, blocked, and ends the process when the last of these goes out
// of scope. Nothing is long in between but other programs, and run_subprocess() ends those. No
// handler is installed, so nothing has to be safe inside of one. SIGKILL cannot wait.
#pragma once

#include <signal.h>

#include "pgo/base/unique_fd.h"

namespace pgo {

// They may be nested. Threads that exist before and go on meanwhile would take the signals: there
// must be none. Threads that are begun meanwhile leave them alone.
class DeferredTermination {
 public:
  DeferredTermination();
  DeferredTermination(const DeferredTermination&) = delete;
  DeferredTermination& operator=(const DeferredTermination&) = delete;
  ~DeferredTermination();

  // Does one wait?
  bool any() const;
  // Can be polled: readable while one waits. It is not meant to be read; -1 when there are too many
  // files.
  int fd() const { return fd_.fd; }
  // What a program that is started meanwhile shall have blocked.
  sigset_t mask_for_programs() const;

 private:
  sigset_t awaited_, before_;
  UniqueFd fd_{-1};
};

// Does a request to end wait for any of these? Requests that end the process at once never do.
bool is_asked_to_end();

// Was this process started with the signal as one to ignore (nohup)? Such a one stays so.
bool is_ignored(int signal);

}  // namespace pgo
