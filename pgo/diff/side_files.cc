#include "pgo/diff/side_files.h"

#include <algorithm>
#include <map>
#include <set>

#include "pgo/source/file_identity.h"

namespace pgo {
namespace {

// A list of hosts and numbers would be read as folded stacks.
Result<void> leave_out_units(const std::vector<std::string>& unit_files,
                             std::vector<SideFile>& files) {
  std::set<std::string> units;
  for (const std::string& path : unit_files) units.insert(identity_of(path));
  for (const SideFile& one : files)
    if (!one.file.from_directory && units.contains(identity_of(one.file.path)))
      return fail(ErrorKind::kUsage,
                  one.file.path +
                      ": has units of work (\xFF{units-before}, \xFF{units-after}), so it is not a "
                      "profile; leave it out of the inputs");
  std::erase_if(files,
                [&](const SideFile& one) { return units.contains(identity_of(one.file.path)); });
  return ok();
}

// A file that is named by its bundle, too, counts as the bundle says; of two, as the first.
void use_bundle(const InputFile& more, InputFile& file) {
  if (!more.bundle || (file.bundle && file.bundle->directory <= more.bundle->directory)) return;
  file.bundle = more.bundle;
  file.member = more.member;
  file.weight = more.weight;
}

}  // namespace

Result<std::vector<SideFile>> find_side_files(const std::vector<std::string>& arguments,
                                              const std::vector<std::string>& unit_files) {
  std::map<std::string, SideFile> found;  // by what is the same for all paths of a file
  for (const std::string& argument : arguments) {
    PGO_TRY(SideArgument side, parse_side_argument(argument));
    PGO_TRY(std::vector<InputFile> files, find_input_files({side.input}));
    for (const InputFile& file : files) {
      auto [known, is_new] = found.try_emplace(identity_of(file.path), SideFile{file, {}});
      SideFile& one = known->second;
      if (!is_new) {
        one.file.path = std::min(one.file.path, file.path);
        one.file.from_directory &= file.from_directory;
        use_bundle(file, one.file);
      }
      one.alternatives.push_back(side.conditions);
    }
  }
  std::vector<SideFile> sorted;
  for (auto& [identity, file] : found) {
    std::sort(file.alternatives.begin(), file.alternatives.end());
    sorted.push_back(std::move(file));
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const SideFile& a, const SideFile& b) { return a.file.path < b.file.path; });
  if (!unit_files.empty()) PGO_CHECK(leave_out_units(unit_files, sorted));
  return sorted;
}

}  // namespace pgo
