#include "pgo/refresh/bolt_profile.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/binary/profile_note.h"
#include "pgo/elf/elf_image.h"
#include "pgo/elf/image_match.h"
#include "pgo/profile/thresholds.h"
#include "pgo/registry/library_name.h"

namespace pgo {
namespace {

std::string library_of(const FoundBuild& build) {
  return build.is_program ? "" : library_name(std::string(recorded_file_name(build.path)));
}

std::string shown_build(const FoundBuild& build) {
  const std::string id = build.files.id.hex();
  return build.path.empty() ? "build " + id : build.path + " (" + id + ")";
}

// Some libraries, such as libc.so.6, have an interpreter, too.
bool is_executable(const ElfImage& image, const std::string& library) {
  return image.kind() == ElfImage::Kind::kExecutable ||
         (!library.ends_with(".so") && image.find_section(".interp") != nullptr);
}

// The builds of one library; or those of the program, which may have several names.
class BoltCandidates {
 public:
  void add(const FoundBuild& build) {
    builds_.push_back(&build);
    share_ += build.is_program ? build.program_share : build.share;
  }
  double share() const { return share_; }

  // Builds that llvm-bolt can optimize. Errors: those of ElfImage.
  Result<std::vector<BoltChoice>> choices(const std::string& library, const FoundBuild* program,
                                          Diagnostics& diagnostics) {
    std::vector<BoltChoice> result;
    for (const FoundBuild* build : builds_) {
      BoltChoice choice;
      choice.build = build;
      choice.library = library;
      choice.share = build->is_program ? build->program_share : build->share;
      choice.path = build->files.prebolt.empty() ? build->files.executable : build->files.prebolt;
      PGO_TRY(const ElfImage image, ElfImage::open(choice.path));
      choice.build_id = image.build_id().hex();
      if (!build->is_program && is_executable(image, library)) {
        diagnostics.warn(
            "no-bolt-profile",
            "no BOLT profile of " + shown_build(*build) +
                " is pinned: it is an executable, but the service's program is " +
                (program == nullptr ? "another one" : shown_build(*program)) +
                "; make it a service of its own, or, if it should be this service's program, "
                "record it alone");
        continue;
      }
      if (image.symbols().empty()) {
        stripped_ = choice.build_id;
        continue;
      }
      if (const std::optional<ProfileNote> note = read_profile_note(image)) {
        choice.built_with = note->profile;
        choice.has_note = true;
      }
      result.push_back(std::move(choice));
    }
    return result;
  }
  // Why there are none; empty: they are no libraries, and there is a warning.
  std::string why_none() const {
    if (stripped_.empty()) return "";
    return "the build " + stripped_ +
           " is stripped of its symbols; archive it before it is stripped";
  }

  // Two libraries of one name are not told apart by builds, nor here.
  void warn_of_same_names(const BoltChoice& chosen, Diagnostics& diagnostics) const {
    for (const FoundBuild* build : builds_) {
      if (build == chosen.build || folder_of(build->path) == folder_of(chosen.build->path) ||
          build->share < thresholds::kShownBuildShare)
        continue;
      diagnostics.warn("same-library-name",
                       "two libraries are named " + chosen.library + ": the BOLT profile is of " +
                           shown_build(*chosen.build) + ", not of " + shown_build(*build) +
                           "; rename one, unless they are the same library");
    }
  }

 private:
  static std::string folder_of(const std::string& path) {
    return path.substr(0, path.rfind('/') + 1);
  }

  std::vector<const FoundBuild*> builds_;
  double share_ = 0;
  std::string stripped_;
};

// By name of the library; "" has the programs. Builds could not find a library without a name.
std::map<std::string, BoltCandidates> candidates_among(const FoundBuilds& builds,
                                                       Diagnostics& diagnostics) {
  std::map<std::string, BoltCandidates> candidates;
  for (const FoundBuild& build : builds.builds) {
    const std::string library = library_of(build);
    if (build.is_program || !library.empty())
      candidates[library].add(build);
    else if (build.share >= thresholds::kMinBoltShare)
      diagnostics.warn(
          "no-bolt-profile",
          "no BOLT profile of " + shown_build(build) +
              " is pinned: builds find it by the file name of the library, which " +
              (build.path.empty() ? "the recordings do not have"
                                  : "may have only letters, digits, '_', '.', '-' and '+', at most "
                                    "100 of them; rename the library"));
  }
  return candidates;
}

std::string too_few_samples(double share, double least) {
  return "it has " + format_share(share) + " of the samples, and a library needs " +
         format_share(least);
}

const FoundBuild* first_program(const FoundBuilds& builds) {
  for (const FoundBuild& build : builds.builds)
    if (build.is_program) return &build;
  return nullptr;
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

Result<BoltSelection> choose_bolt_builds(const FoundBuilds& builds, const PinnedBolt& pinned,
                                         Diagnostics& diagnostics) {
  std::map<std::string, BoltCandidates> candidates = candidates_among(builds, diagnostics);
  BoltSelection selection;
  auto miss = [&](const std::string& library, const std::string& reason) {
    MissingBoltProfile& missing = selection.missing.emplace_back();
    missing.library = library;
    missing.reason = reason;
  };
  for (auto& [library, of_name] : candidates) {
    const bool was_pinned = pinned.libraries.contains(library);
    const double least = was_pinned ? thresholds::kMinPinnedBoltShare : thresholds::kMinBoltShare;
    if (!library.empty() && of_name.share() < least) {
      if (was_pinned) miss(library, too_few_samples(of_name.share(), least));
      continue;
    }
    PGO_TRY(std::vector<BoltChoice> choices,
            of_name.choices(library, first_program(builds), diagnostics));
    if (choices.empty()) {
      if (std::string reason = of_name.why_none(); !reason.empty()) miss(library, reason);
      continue;
    }
    choices = choose_for_bolt(std::move(choices), pinned.compile_profile);
    if (!library.empty()) of_name.warn_of_same_names(choices[0], diagnostics);
    selection.chosen.push_back(std::move(choices[0]));
  }
  for (const std::string& library : pinned.libraries)
    if (!candidates.contains(library)) miss(library, "no archived build of it was recorded");
  return selection;
}

std::string describe_missing_bolt_profile(const MissingBoltProfile& missing) {
  return "no BOLT profile of " + (missing.library.empty() ? "the program" : missing.library) +
         " is pinned" + (missing.was_pinned ? " any more" : "") + ": " + missing.reason;
}

const BoltProfile* find_bolt_profile(const std::vector<BoltProfile>& profiles,
                                     const std::string& library) {
  for (const BoltProfile& profile : profiles)
    if (profile.library == library) return &profile;
  return nullptr;
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
