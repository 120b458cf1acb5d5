// Runs a command by the shell, and measures it.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/base/subprocess.h"
#include "pgo/paired_runs/turn.h"

namespace pgo {

// `command` as the shell runs it.
std::vector<std::string> shell_command(const std::string& command);

// Error: kMismatch for a command that failed, with the end of what it said.
Result<void> check_success(const std::string& command, const ProcessResult& finished);

// Errors: kIo; kMismatch for a command that fails.
Result<Turn> run_command(const std::string& command);

}  // namespace pgo
