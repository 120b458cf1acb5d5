// The checks of what llvm-bolt wrote: is it the same program to all who look at it from outside,
// does the system's loader accept it, and does the user's own command.
#pragma once

#include <chrono>
#include <string>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

enum class Check { kProfile, kElf, kLoader, kCommand };

// What came of one check. A failed one is an error, not an outcome.
struct CheckOutcome {
  enum class State { kPassed, kSkipped, kUnknown };

  Check check = Check::kProfile;
  State state = State::kPassed;
  std::string reason = {};  // of kSkipped and kUnknown
};

// Compares the ELF files (bolt_check.h). Error: kMismatch with all differences, a line each.
Result<CheckOutcome> check_same_program(const ElfImage& input, const ElfImage& result);

// Starts the loader on both (loader_start.h). Skipped when it does not accept the input either.
// Errors: kMismatch when it accepts only the input; kIo when it cannot be run.
Result<CheckOutcome> check_loads(const ElfImage& input, const ElfImage& candidate,
                                 std::chrono::seconds timeout);

// Runs `command` by the shell, with `path` in the place of each {}. Errors: kMismatch when it does
// not end with 0 within `timeout`; kIo when there is no shell.
Result<CheckOutcome> check_runs(const std::string& command, const std::string& path,
                                std::chrono::seconds timeout);

}  // namespace pgo
