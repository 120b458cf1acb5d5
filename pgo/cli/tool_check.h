// Are the programs here that this project works with: LLVM's, BOLT's, what records? Recording is
// tried, because a perf that is installed says nothing about branch records.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/cli/diagnosis.h"

namespace pgo {

// None of them is needed: what is lost without one is said.
void check_llvm_tools(const std::string& search_path, Diagnosis& diagnosis);
void check_bolt(const std::string& search_path, Diagnosis& diagnosis);
// A finding is kMissing when neither perf nor emulation records branch stacks. Takes some seconds
// at most. Error: kIo for temporary files.
Result<void> check_recording(const std::string& search_path, Diagnosis& diagnosis);

}  // namespace pgo
