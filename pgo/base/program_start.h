// Starts another program without waiting for it: what run_subprocess() and services have in common.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/result.h"

namespace pgo {

struct ProgramStart {
  std::vector<std::string> command;  // command[0] is the program's path
  // "NAME=value" each; none: this process's.
  std::optional<std::vector<std::string>> environment = {};
  int output = -1, error = -1;  // descriptors that become its standard streams
  int input = -1;               // -1: it has no standard input
};

// In a process group of its own, with the signals as they were before
// `termination`. Whoever starts it must end it and wait for it. Error: kIo.
Result<pid_t> start_program(const ProgramStart& program, const DeferredTermination& termination);

// What exec and its kin take: pointers to the strings, which must outlive them, and a null pointer.
std::vector<char*> pointers_to(const std::vector<std::string>& strings);

// This process's environment.
std::vector<std::string> current_environment();

}  // namespace pgo
