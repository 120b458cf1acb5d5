// What a command of the command line is. Each lives in its own cmd_<name>.cc; main.cc lists them.
// Only the code of this folder prints or exits.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "pgo/base/result.h"
#include "pgo/cli/messages.h"

namespace pgo {

// The program's exit codes, the same for every command.
enum ExitCode : int {
  kExitDone = 0,
  kExitNo = 1,     // the answer is no: a check found a difference
  kExitError = 2,  // wrong usage, or data that cannot be used
};

struct Command {
  const char* name;
  const char* summary;
  // Declares the command's options and sets a callback that runs it and stores its exit code.
  void (*declare)(CLI::App& app, int& exit_code);
};

void declare_bolt(CLI::App& app, int& exit_code);
void declare_convert(CLI::App& app, int& exit_code);
void declare_doctor(CLI::App& app, int& exit_code);
void declare_flags(CLI::App& app, int& exit_code);
void declare_match(CLI::App& app, int& exit_code);
void declare_merge(CLI::App& app, int& exit_code);
void declare_record(CLI::App& app, int& exit_code);
void declare_show(CLI::App& app, int& exit_code);

// Prints `error` as the program's last words and returns the exit code for it.
int report_error(const Error& error);
// As JSON, on standard output. Error: kIo.
Result<void> print_error_json(const Error& error);
// report_error(); with --json also print_error_json(), for which a reader waits there.
int report_failure(const Error& error, bool json);

}  // namespace pgo
