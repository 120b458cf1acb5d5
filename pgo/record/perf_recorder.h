// Records a command or a process with the installed perf, by the recipe that works on this machine.
//
//   PGO_TRY(PerfSetup setup, find_perf_setup(search_path));
//   std::vector<std::string> recipe = perf_command(setup, options);   // to be shown
//   PGO_TRY(PerfRun run, record_with_perf(setup, options));
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/record/perf_recipe.h"

namespace pgo {

// A perf that records on this machine, and how.
struct PerfSetup {
  std::string perf;  // its path
  PerfRecipe recipe;
  // A second recording, if the samples of `recipe` do not measure cost and perf can record the
  // clock.
  std::optional<PerfRecipe> cost;
};

// Finds perf in `search_path` (directories separated by colons) and tries the recipes for this
// processor on `true`, in a fraction of a second each, until one gives branch stacks. A trial is
// the only way to know: kernel, hypervisor, container and permissions all have a say. Error:
// kUnsupported, with what is missing and what to do about it.
Result<PerfSetup> find_perf_setup(const std::string& search_path);

// The same for samples of where time goes, which need no branch records. Error: kUnsupported.
Result<PerfSetup> find_clock_setup(const std::string& search_path);

// May the process be recorded at all, as far as that can be known before perf is run? Errors:
// kUsage when there is none; kUnsupported when it belongs to another user, with what is missing.
Result<void> check_process(int64_t pid, const std::string& search_path);

struct PerfOptions {
  std::vector<std::string> command;  // recorded; with `pid`, how long
  std::string output = "perf.data";
  std::string cost_output = {};    // for PerfSetup::cost; empty: no second recording
  std::optional<uint64_t> period;  // instead of the recipe's
  std::vector<int64_t> pids = {};  // recorded until they or `command` end or this is interrupted
  PerfOutput printed = PerfOutput::kQuiet;
  std::function<void()> starting = [] {};  // called when all is there that recording needs
};

struct PerfRun {
  int exit_status = 0;    // the command's; 128 + the signal's number when a signal ended it
  bool has_cost = false;  // is there a recording beside it?
  // Recordings that could not keep the owner of those they replace; or no recording beside.
  Diagnostics diagnostics = {};
};

// The whole command line. A second perf makes the second recording: the first perf starts it in
// place of the command, and it runs the command, so that its samples contain no perf.
std::vector<std::string> perf_command(const PerfSetup& setup, const PerfOptions& options);

// Runs it in the foreground; `output` and `cost_output` appear whole or not at all. SIGTERM and
// SIGHUP have perf end the command and finish the recording. Returns the command's exit status (128
// + the signal's number when one ended it); an interrupt or a SIGTERM while a process is recorded
// is its proper end and gives 0. Errors: kIo; kUsage for a process or a program that is not there
// and an output that is no regular file.
Result<PerfRun> record_with_perf(const PerfSetup& setup, const PerfOptions& options);

}  // namespace pgo
