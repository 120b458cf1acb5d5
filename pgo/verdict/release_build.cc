#include "pgo/verdict/release_build.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "pgo/base/file_name.h"
#include "pgo/elf/elf_image.h"

namespace pgo {
namespace {

bool notes_profile(const ReleaseBuild& build) { return build.note && !build.note->profile.empty(); }

std::string noted_text(const ReleaseBuild& build) {
  const ProfileNote note = build.note.value_or(ProfileNote());
  if (note.profile.empty()) return "no profile";
  return (note.name.empty() ? "" : note.name + ", ") + note.profile;
}

bool has_bolt_profile(const ReleaseBuild& build) { return build.note && !build.note->bolt.empty(); }

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

const ReleaseBuild* build_of_profile(const std::vector<ReleaseBuild>& builds,
                                     const DiffResult& comparison, const std::string& digest) {
  std::map<std::string, double> costs;  // by file name
  for (const DiffRow& row : comparison.rows) costs[row.key.binary] += row.flat.rate_b;
  auto rank = [&](const ReleaseBuild& build) {
    return std::tuple(build.has_profile(digest), notes_profile(build),
                      costs[std::string(file_name(build.path))]);
  };
  const ReleaseBuild* best = nullptr;
  for (const ReleaseBuild& build : builds)
    if (build.on_side[1] && (best == nullptr || rank(build) > rank(*best))) best = &build;
  return best;
}

void warn_of_other_profile(const std::vector<ReleaseBuild>& builds, const ReleaseBuild& matched,
                           const NamedProfile& profile, Diagnostics& diagnostics) {
  if (matched.has_profile(profile.digest)) return;
  std::string notes;
  size_t after = 0;
  for (const ReleaseBuild& build : builds) {
    if (!build.on_side[1]) continue;
    notes += (after++ == 0 ? "" : "; ") + build.path +
             (notes_profile(build) ? " was built with " + noted_text(build)
                                   : " has no note of a profile");
  }
  if (after < 2 && !matched.note) return;
  diagnostics.warn("profile-not-noted", "no binary of the after side has a note of " +
                                            profile.path + ": " + notes +
                                            "; the profile is compared with " + matched.path);
}

bool is_same_program(const std::vector<ReleaseBuild>& builds, const ReleaseBuild& before,
                     const ReleaseBuild& after) {
  auto count = [&](size_t side) {
    return std::count_if(builds.begin(), builds.end(),
                         [&](const ReleaseBuild& build) { return build.on_side[side]; });
  };
  return file_name(after.path) == file_name(before.path) || (count(0) == 1 && count(1) == 1);
}

void warn_of_builds(const std::vector<ReleaseBuild>& builds, Diagnostics& diagnostics) {
  for (const ReleaseBuild& after : builds)
    for (const ReleaseBuild& before : builds) {
      if (!after.on_side[1] || !before.on_side[0] || &after == &before ||
          !is_same_program(builds, before, after))
        continue;
      if (before.note && notes_profile(before) && !notes_profile(after))
        diagnostics.warn("built-without-profile", after.path +
                                                      " was built without a profile, but " +
                                                      before.path + " with " + before.note->name);
      if (has_bolt_profile(before) && !has_bolt_profile(after))
        diagnostics.warn("built-without-bolt",
                         after.path + " was not optimized by BOLT, but " + before.path + " was");
    }
}

}  // namespace pgo
