#include "pgo/verdict/release_build.h"

#include <algorithm>
#include <set>
#include <utility>

#include "pgo/base/file_name.h"
#include "pgo/elf/elf_image.h"

namespace pgo {
namespace {

bool has_profile(const ReleaseBuild& build) { return build.note && !build.note->profile.empty(); }

bool has_bolt_profile(const ReleaseBuild& build) { return build.note && !build.note->bolt.empty(); }

// By file name, unless each side has one build: versions may be parts of names.
bool is_same_program(const std::vector<ReleaseBuild>& builds, const ReleaseBuild& before,
                     const ReleaseBuild& after) {
  auto count = [&](size_t side) {
    return std::count_if(builds.begin(), builds.end(),
                         [&](const ReleaseBuild& build) { return build.on_side[side]; });
  };
  return file_name(after.path) == file_name(before.path) || (count(0) == 1 && count(1) == 1);
}

}  // namespace

Result<std::vector<ReleaseBuild>> find_builds(const std::vector<std::string>& paths,
                                              const DiffResult& comparison) {
  std::vector<ReleaseBuild> builds;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (!seen.insert(path).second) continue;
    PGO_TRY(ElfImage image, ElfImage::open(path));
    ReleaseBuild build{.path = path, .id = image.build_id(), .note = read_profile_note(image)};
    for (const ElfImage::Section& section : image.sections())
      if (section.executable && section.allocated) build.code_size += section.size;
    auto find_sides = [&](auto is_of_this) {
      for (size_t side = 0; side < 2; side++)
        for (const BuildId& id : comparison.sides[side].builds)
          build.on_side[side] |= !build.id.empty() && is_of_this(id);
    };
    find_sides([&](const BuildId& id) { return id.matches(build.id); });
    // Both the input and the output of llvm-bolt may have been given, so exact matches come first.
    if (build.on_side == std::array{false, false})
      find_sides([&](const BuildId& id) { return id.matches_bolted(build.id); });
    builds.push_back(std::move(build));
  }
  return builds;
}

void warn_of_builds(const std::vector<ReleaseBuild>& builds, Diagnostics& diagnostics) {
  for (const ReleaseBuild& after : builds)
    for (const ReleaseBuild& before : builds) {
      if (!after.on_side[1] || !before.on_side[0] || &after == &before ||
          !is_same_program(builds, before, after))
        continue;
      if (before.note && has_profile(before) && !has_profile(after))
        diagnostics.warn("built-without-profile", after.path +
                                                      " was built without a profile, but " +
                                                      before.path + " with " + before.note->name);
      if (has_bolt_profile(before) && !has_bolt_profile(after))
        diagnostics.warn("built-without-bolt",
                         after.path + " was not optimized by BOLT, but " + before.path + " was");
    }
}

}  // namespace pgo
