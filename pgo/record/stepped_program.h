// May a program be recorded by single steps? The library is preloaded, so a dynamic loader must do
// that, and the program's own signal handling must go through the C library.
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/record/program_file.h"

namespace pgo {

// Error: kUsage, which says why not.
Result<void> check_stepped_program(const ProgramFile& program);

}  // namespace pgo
