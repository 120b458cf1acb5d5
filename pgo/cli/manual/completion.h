// Writes what makes a shell complete the commands, options and words of the program.
//
// Values that are no fixed words are completed as files.
#pragma once

#include <string>

#include "pgo/cli/manual/program_description.h"

namespace pgo {

enum class Shell { kBash, kZsh, kFish };

// The script, for the shell's directory of completions or to be read at its start.
std::string completion_script(const ProgramDescription& program, Shell shell);

}  // namespace pgo
