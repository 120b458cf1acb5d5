// Subprocess: runs another program to its end and keeps what it printed. Used where the program is
// the product's subject (BOLT, perf), never for what can be done here.
//
//   PGO_TRY(ProcessResult finished, run_subprocess({"/usr/bin/perf2bolt", "--version"}));
//   if (finished.exit_status != 0) ...
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

// Resources used by a program and by the children that it waited for.
struct ProcessUsage {
  double wall = 0, user = 0, system = 0;  // seconds
  // Bytes; that of the largest process, and at least what this process holds at the start.
  uint64_t peak_memory = 0;
};

// The most that this process has held itself, in bytes.
uint64_t own_peak_memory();

struct ProcessResult {
  int exit_status = 0;     // 128 + the signal's number when a signal ended it, as shells say it
  std::string output;      // what it wrote to standard output
  std::string error;       // what it wrote to standard error
  bool timed_out = false;  // it was ended, because its time was over
  ProcessUsage usage;
};

// Runs `command` (command[0] is the program's path) with no standard input and waits for it.
// Of each stream the first 16 MiB are kept, the rest is read and dropped. Once it has ended, so has
// all that it started and left running (its process group). A SIGINT, SIGTERM or SIGHUP to this
// process ends them too, and then this process, at once or when its DeferredTermination objects go
// away. Error: kIo when it cannot be started or watched, or this process was asked to end.
Result<ProcessResult> run_subprocess(const std::vector<std::string>& command);

// The same for a command that may hang: it is ended after `timeout`.
Result<ProcessResult> run_subprocess_within(std::chrono::milliseconds timeout,
                                            const std::vector<std::string>& command);

// The same with another environment ("NAME=value") than this process's.
Result<ProcessResult> run_subprocess_in(const std::vector<std::string>& environment,
                                        const std::vector<std::string>& command);

// The same with `input` as its standard input, for a command that may hang.
Result<ProcessResult> run_subprocess_with_input(std::string_view input,
                                                std::chrono::milliseconds timeout,
                                                const std::vector<std::string>& command);

// The end of what a failed program said (its last three lines), on one line.
std::string stderr_tail(const ProcessResult& finished);

// The first executable file `name` in `search_path` (directories separated by colons, as in PATH).
// A `name` with a slash is looked for as it is.
std::optional<std::string> find_program(std::string_view name, std::string_view search_path);

// PATH, or where programs usually are when there is none.
std::string search_path_from_environment();

// Where Debian and Ubuntu put LLVM's programs under their plain names; not in PATH.
inline constexpr char kDebianLlvmDirectory[] = "/usr/lib/llvm-22/bin";

}  // namespace pgo
