// How a command ends: its exit code, and its last words when it failed.
#pragma once

#include "pgo/base/result.h"

namespace pgo {

// The program's exit codes, the same for every command.
enum ExitCode : int {
  kExitDone = 0,
  kExitNo = 1,            // a check failed: a difference was found
  kExitError = 2,         // wrong usage, or data that cannot be used
  kExitInconclusive = 3,  // not enough data to decide
};

// Prints `error` as the program's last words and returns the exit code for it.
int report_error(const Error& error);
// As JSON, on standard output. Error: kIo.
Result<void> print_error_json(const Error& error);
// report_error(); with --json also print_error_json(), for which a reader waits there.
int report_failure(const Error& error, bool json);
// The exit code of a command that has ended: with an error, that of report_failure().
int report_any_failure(const Result<ExitCode>& ended, bool json);

}  // namespace pgo
