#include "pgo/diff/side_files.h"

#include <algorithm>

#include "pgo/source/input_files.h"

namespace pgo {

Result<std::vector<SideFile>> find_side_files(const std::vector<std::string>& arguments) {
  std::vector<SideFile> found;
  for (const std::string& argument : arguments) {
    PGO_TRY(SideArgument side, parse_side_argument(argument));
    PGO_TRY(std::vector<InputFile> files, find_input_files({side.input}));
    for (const InputFile& file : files)
      found.push_back({file.path, file.from_directory, side.conditions});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const SideFile& a, const SideFile& b) { return a.path < b.path; });
  for (size_t i = 1; i < found.size(); i++)
    if (found[i].path == found[i - 1].path && found[i].conditions == found[i - 1].conditions)
      return fail(ErrorKind::kUsage,
                  found[i].path + ": is named twice on one side, and would count twice");
  return found;
}

}  // namespace pgo
