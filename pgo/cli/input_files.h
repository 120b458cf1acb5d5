// What the INPUT arguments of a command name: files, globs, directories, @list, "-".
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

// The files that `arguments` stand for. A glob that the shell left alone is matched here; a
// directory stands for every regular file below it, but hidden ones; "@FILE" names one input per
// line (blank lines and lines that start with # do not count). Sorted within each argument, so that
// the file system's order does not matter. `from_directory` says which were found by looking into
// one, and may therefore be something else altogether.
struct InputFile {
  std::string path;
  bool from_directory = false;
};
Result<std::vector<InputFile>> find_input_files(const std::vector<std::string>& arguments);

}  // namespace pgo
