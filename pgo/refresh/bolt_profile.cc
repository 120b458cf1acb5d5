#include "pgo/refresh/bolt_profile.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pgo/binary/profile_note.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/thresholds.h"
#include "pgo/registry/library_name.h"

namespace pgo {
namespace {

// Nothing for a library that perf2bolt refuses: its debug file has the symbols, by which it is part
// of the compile profile. A program like this is an error, that of perf2bolt.
Result<std::optional<BoltChoice>> describe_for_bolt(const FoundBuild& build,
                                                    Diagnostics& diagnostics) {
  BoltChoice choice;
  choice.build = &build;
  choice.library = build.is_program ? "" : library_name(build.path);
  choice.share = build.is_program ? build.program_share : build.share;
  choice.path = build.files.prebolt.empty() ? build.files.executable : build.files.prebolt;
  PGO_TRY(const ElfImage image, ElfImage::open(choice.path));
  choice.build_id = image.build_id().hex();
  if (!build.is_program && image.symbols().empty()) {
    diagnostics.warn("no-bolt-profile",
                     "there is no BOLT profile of " + choice.library + " (" + choice.build_id +
                         "): it is stripped of its symbols; archive it before it is stripped");
    return std::optional<BoltChoice>();
  }
  if (const std::optional<ProfileNote> note = read_profile_note(image)) {
    choice.built_with = note->profile;
    choice.has_note = true;
  }
  return std::optional(std::move(choice));
}

// A library without a name (where it ran is not known) has no BOLT profile: builds could not find
// it.
bool can_have_bolt_profile(const FoundBuild& build) {
  return build.is_program ||
         (build.share >= thresholds::kMinBoltShare && !library_name(build.path).empty());
}

}  // namespace

std::vector<BoltChoice> choose_for_bolt(std::vector<BoltChoice> choices,
                                        const std::string& pinned_profile) {
  auto is_preferred = [&](const BoltChoice& choice) {
    return !pinned_profile.empty() && choice.built_with == pinned_profile &&
           choice.share >= thresholds::kMinBoltShare;
  };
  auto is_better = [&](const BoltChoice& a, const BoltChoice& b) {
    if (is_preferred(a) != is_preferred(b)) return is_preferred(a);
    return a.share > b.share;
  };
  std::stable_sort(choices.begin(), choices.end(), is_better);
  std::map<std::string, BoltChoice> chosen;  // by library: the program first
  for (BoltChoice& choice : choices) chosen.try_emplace(choice.library, std::move(choice));
  std::vector<BoltChoice> result;
  for (auto& [library, choice] : chosen) result.push_back(std::move(choice));
  return result;
}

std::string bolt_file_stem(const std::string& service, const std::string& library) {
  return library.empty() ? service : service + "." + library;
}

Result<std::vector<BoltChoice>> choose_bolt_builds(const FoundBuilds& builds,
                                                   const std::string& pinned_profile,
                                                   Diagnostics& diagnostics) {
  std::vector<BoltChoice> choices;
  for (const FoundBuild& build : builds.builds) {
    if (!can_have_bolt_profile(build)) continue;
    PGO_TRY(std::optional<BoltChoice> choice, describe_for_bolt(build, diagnostics));
    if (choice) choices.push_back(*std::move(choice));
  }
  return choose_for_bolt(std::move(choices), pinned_profile);
}

Result<void> write_recorded_builds(const std::string& directory, const std::string& service,
                                   bool has_compile_profile, std::vector<BoltProfile>& profiles,
                                   Diagnostics& diagnostics) {
  for (BoltProfile& profile : profiles) {
    if (has_compile_profile && profile.built_with.empty()) continue;
    const std::string path =
        directory + "/" + bolt_file_stem(service, profile.library) + ".prebolt";
    PGO_TRY(RecordedBuild recorded, write_recorded_build(profile.input, path));
    if (recorded.obstacle.empty()) {
      profile.prebolt = std::move(recorded);
      continue;
    }
    diagnostics.warn("no-recorded-build",
                     "the recorded build " + profile.build +
                         (profile.library.empty() ? "" : " (" + profile.library + ")") +
                         " is not pinned: " + recorded.obstacle +
                         "; builds of changed sources will use less of the BOLT profile");
  }
  return ok();
}

}  // namespace pgo
