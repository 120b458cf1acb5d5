// The files that the INPUT arguments of one side name, each once, with what its samples must have.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/diff/side_argument.h"
#include "pgo/source/input_files.h"

namespace pgo {

// All of these must hold; none: every sample counts.
using LabelConditions = std::vector<LabelCondition>;

struct SideFile {
  InputFile file;
  // Of each argument that names the file. A sample counts, once, when those of one argument hold.
  std::vector<LabelConditions> alternatives;
};

// Sorted by path, whatever the order of the arguments. Without `unit_files`, which have units of
// work and may lie beside the profiles. Errors: kUsage for what is no condition, and for an
// argument that names one of `unit_files`; those of find_input_files().
Result<std::vector<SideFile>> find_side_files(const std::vector<std::string>& arguments,
                                              const std::vector<std::string>& unit_files = {});

}  // namespace pgo
