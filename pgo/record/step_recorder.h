// Records a command by single steps: on any x86-64 machine, exact branch stacks at a cost of at
// most a given share of the CPU time.
//
//   PGO_TRY(StepRun run, record_stepped({.command = {"./server", "--once"}}));
//   // perf.data is there; run.exit_status is the server's
//
// A library that is preloaded (step/stepper.h) samples each thread by a timer of its CPU time, and
// now and then steps through a burst of its instructions. It puts the branches that were taken into
// a table in memory, which is emptied here while the command runs. When this process is killed, the
// command goes on, and nothing more is recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/record/part_assembly.h"

namespace pgo {

struct StepOptions {
  std::vector<std::string> command;  // looked for in the search path unless it has a slash
  std::string output = "perf.data";
  // Nanoseconds of CPU time of a thread between two samples. Most are PC samples: the limit of the
  // share says how many have branches.
  uint64_t period = 4'000'000;
  uint32_t overhead = 2;     // percent of the CPU time that recording may take, 1 to 50
  std::string library = {};  // empty: ../lib/prodpgo or lib/prodpgo, seen from this executable
  std::string search_path = {};
  std::function<void()> starting = [] {};  // called when all is there that recording needs
};

struct StepRun {
  int exit_status = 0;  // the command's; 128 + the signal's number when a signal ended it
  RecordingTotals totals;
  uint64_t clock_samples = 0;  // of the samples, those without branches
  double spent_share = 0;      // of the CPU time of the command, by the steps
  // Seconds of CPU time, outside of the kernel: of the command and the processes that it waited
  // for, and those that the samples stand for.
  double user_seconds = 0, sampled_seconds = 0;
};

// The library that is preloaded: `given`, or if that is empty the installed one. Errors:
// kUnsupported if it is missing, or if its path cannot be preloaded.
Result<std::string> find_step_library(const std::string& given);

// Runs the command with this process's standard streams and environment, waits for it, and writes
// the recording, whole or not at all. Interrupts reach the command alone, SIGTERM and SIGHUP are
// passed on to it. A process that outlives the command is recorded up to its end. Errors: kUsage
// for an output that is no regular file, and a program that cannot be stepped safely; kUnsupported
// where steps do not work; kIo.
Result<StepRun> record_stepped(const StepOptions& options);

}  // namespace pgo
