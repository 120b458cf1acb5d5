// The program that a command runs, found as a shell would find it; for a script its interpreter's.
//
//   PGO_TRY(ProgramFile program, find_program_file({"./server", "--once"}, search_path));
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/record/plugin/program.h"

namespace pgo {

struct ProgramFile {
  std::string path;
  std::vector<std::string> arguments;  // argv[0] first
  std::string command;                 // the path of the program or script that was found
  std::string name;                    // what the kernel would call the process
  ProgramKind kind = kRefused;
};

// Error: kUsage for an empty command, one that is not found, or what execve refuses.
Result<ProgramFile> find_program_file(const std::vector<std::string>& command,
                                      const std::string& search_path);

}  // namespace pgo
