// The files that the INPUT arguments of one side name, each with what its samples must have.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/diff/side_argument.h"

namespace pgo {

struct SideFile {
  std::string path;
  bool from_directory = false;  // found by looking into one: it may be something else altogether
  std::vector<LabelCondition> conditions;
};

// Sorted by path. Error: kUsage for what is no condition, and for a file that is named twice.
Result<std::vector<SideFile>> find_side_files(const std::vector<std::string>& arguments);

}  // namespace pgo
