// Runs a command in the place of this process: its streams, its terminal, its interrupts.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

// Runs arguments[0], a path, with `environment` ("NAME=value"), this process's standard streams and
// default signal actions, and waits for it. Meanwhile this process ignores SIGINT and SIGQUIT,
// which a terminal sends to both, so that it outlives the command. Returns its exit status, or 128
// + the signal's number when a signal ended it. Error: kIo when it cannot be started.
Result<int> run_in_foreground(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& environment);

// This process's environment.
std::vector<std::string> current_environment();

}  // namespace pgo
