// What the commands have in common. Each lives in its own cmd_<name>.cc; main.cc lists them. Only
// the code of this folder prints or exits.
#pragma once

#include "pgo/base/result.h"
#include "pgo/cli/messages.h"

namespace pgo {

class CommandLine;

// The program's exit codes, the same for every command.
enum ExitCode : int {
  kExitDone = 0,
  kExitNo = 1,            // a check failed: a difference was found
  kExitError = 2,         // wrong usage, or data that cannot be used
  kExitInconclusive = 3,  // not enough data to decide
};

// Each declares the options of its command, and what runs it.
void declare_bolt(CommandLine& line);
void declare_convert(CommandLine& line);
void declare_cost(CommandLine& line);
void declare_diff(CommandLine& line);
void declare_doctor(CommandLine& line);
void declare_fetch(CommandLine& line);
void declare_flags(CommandLine& line);
void declare_match(CommandLine& line);
void declare_merge(CommandLine& line);
void declare_record(CommandLine& line);
void declare_show(CommandLine& line);
void declare_verify(CommandLine& line);

// Prints `error` as the program's last words and returns the exit code for it.
int report_error(const Error& error);
// As JSON, on standard output. Error: kIo.
Result<void> print_error_json(const Error& error);
// report_error(); with --json also print_error_json(), for which a reader waits there.
int report_failure(const Error& error, bool json);
// The exit code of a command that has ended: with an error, that of report_failure().
int report_any_failure(const Result<ExitCode>& ended, bool json);

}  // namespace pgo
