// ReleaseBuild: what a binary says of how a release was built: with which profile, whether BOLT
// ran, and how much code it has.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/binary/profile_note.h"
#include "pgo/diff/diff.h"

namespace pgo {

struct ReleaseBuild {
  std::string path;
  BuildId id = {};
  uint64_t code_size = 0;                // bytes of the sections with instructions
  std::optional<ProfileNote> note = {};  // what it says of the profile that it was built with
  std::array<bool, 2> on_side{};         // whether profiles of that side have samples of it
};

// Finds the sides by build IDs, so a file without one, or whose ID no profile has, is on no side.
// In the order of `paths`, each file once. Errors: kIo and kInput for what is no ELF file.
Result<std::vector<ReleaseBuild>> find_builds(const std::vector<std::string>& paths,
                                              const DiffResult& comparison);

// Warns of a build after that has no profile, or no BOLT profile, where the build of that name
// before has one.
void warn_of_builds(const std::vector<ReleaseBuild>& builds, Diagnostics& diagnostics);

}  // namespace pgo
