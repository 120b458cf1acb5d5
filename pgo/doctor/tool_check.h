// Are the programs here that this project works with: LLVM's, BOLT's, what records? Recording is
// tried, because a perf that is installed says nothing about branch records.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/doctor/finding.h"

namespace pgo {

// None of these is needed; the findings say what is lost without one. `llvm_bolt` is the program to
// use, empty for the one in `search_path`. LLVM's tools are also looked for in `llvm_directory`.
void check_llvm_tools(const std::string& search_path, const std::string& llvm_directory,
                      Findings& findings);
void check_bolt(const std::string& search_path, const std::string& llvm_bolt, Findings& findings);
// A finding is kMissing when neither perf, single steps nor emulation record anything. Takes some
// seconds at most. Error: kIo for temporary files.
Result<void> check_recording(const std::string& search_path, Findings& findings);

}  // namespace pgo
