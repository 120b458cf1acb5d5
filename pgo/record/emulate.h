// Records a command on any machine: QEMU's user-mode emulation runs it, and the project's plugin
// writes exact branch stacks, 32 deep, every `period` taken branches of each thread.
//
//   PGO_TRY(EmulatedRun run, record_emulated({.command = {"./server", "--once"}}));
//   // perf.data is there; run.exit_status is the server's
//
// Followed: threads, forks, programs that are executed (x86-64 ELF files and scripts). Not
// followed, and named in `totals.notes`: programs of other machines, and set-user-id programs. The
// recording ends when the command ends: a process that outlives it is in the recording up to then.
// The program runs 3 to 10 times slower than natively, so what it measures of itself is not to be
// believed; its branches are. Only x86-64 hosts and guests, and
// QEMU 6.2 to 8.2.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/record/emulator.h"
#include "pgo/record/part_assembly.h"

namespace pgo {

struct EmulationOptions {
  std::vector<std::string> command;  // looked for in the search path unless it has a slash
  EmulatorOptions emulator = {};
  std::string output = "perf.data";
  uint64_t period = 10007;  // taken branches; a prime, so that no loop keeps step with it
  std::function<void()> starting = [] {};  // called when all is there that recording needs
};

struct EmulatedRun {
  int exit_status = 0;  // the command's; 128 + the signal's number when a signal ended it
  RecordingTotals totals;
};

// Runs the command with this process's standard streams and environment, waits for it, and writes
// the recording, whole or not at all. Meanwhile its parts lie in a directory beside the output.
// Interrupts reach the command alone, SIGTERM and SIGHUP are passed on to it: once it has ended,
// what it did until then is recorded.
// With the same program, arguments, environment and installed libraries (the dynamic loader's
// cache) a single thread's recording is the same but for process ids. Errors: kUsage for an output
// that is no regular file, and a command that cannot be emulated; kUnsupported without a QEMU of
// these versions or the plugin, saying what to install; kIo.
Result<EmulatedRun> record_emulated(const EmulationOptions& options);

}  // namespace pgo
