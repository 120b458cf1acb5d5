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

  // Whether it says that it was built with the profile of this digest.
  bool has_profile(const std::string& digest) const {
    return note && !digest.empty() && note->profile == digest;
  }
};

// Finds the sides by build IDs, so a file without one, or whose ID no profile has, is on no side.
// In the order of `paths`, each file once. Errors: kIo and kInput for what is no ELF file.
Result<std::vector<ReleaseBuild>> find_builds(const std::vector<std::string>& paths,
                                              const DiffResult& comparison);

// The build after that a profile of this digest is compared with: one that was built with it, by
// its note; if there is none, one that notes any profile; otherwise any. Of several, the one with
// most of the cost after. Null: there is no build of that side.
const ReleaseBuild* build_of_profile(const std::vector<ReleaseBuild>& builds,
                                     const DiffResult& comparison, const std::string& digest);

struct NamedProfile {
  std::string path, digest;
};

// If `matched`, which the profile is compared with, does not say that it was built with it: warns,
// with what each build after notes. Not of a single build without a note, which tells nothing.
void warn_of_other_profile(const std::vector<ReleaseBuild>& builds, const ReleaseBuild& matched,
                           const NamedProfile& profile, Diagnostics& diagnostics);

// Of the same program: by file name, unless each side has one build, since versions may be parts of
// names.
bool is_same_program(const std::vector<ReleaseBuild>& builds, const ReleaseBuild& before,
                     const ReleaseBuild& after);

// Warns of a build after that has no profile, or no BOLT profile, where the build of that name
// before has one.
void warn_of_builds(const std::vector<ReleaseBuild>& builds, Diagnostics& diagnostics);

}  // namespace pgo
