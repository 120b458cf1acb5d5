#include "pgo/refresh/pinned_comparison.h"

#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "pgo/lock_diff/counted_profile.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// Of a profile: kind, name, configuration, library, and the build that a BOLT profile is of.
using ProfileForm = std::tuple<FileKind, std::string, std::string, std::string, std::string>;

}  // namespace

Result<void> compare_compile_profiles(const std::string& pinned, const std::string& made,
                                      FileKind kind, GateFigures& figures,
                                      Diagnostics& diagnostics) {
  for (auto [stacks, overlap] : {std::pair(InlineStacks::kCompared, &figures.overlap),
                                 std::pair(InlineStacks::kIgnored, &figures.code_overlap)}) {
    PGO_TRY(const CountedProfile before, read_counted(pinned, kind, pinned, stacks));
    PGO_TRY(const CountedProfile after, read_counted(made, kind, made, stacks));
    if (before.basis != after.basis) {
      figures.not_overlapped =
          "the pinned profile counts by " + std::string(position_basis_words(before.basis)) +
          ", the new one by " + std::string(position_basis_words(after.basis)) +
          ", so they cannot be compared";
      diagnostics.warn("other-positions", figures.not_overlapped);
      return ok();
    }
    *overlap = overlap_of(before, after);
  }
  return ok();
}

bool has_same_files(const LockEntry& pinned, const ConvertedFiles& made,
                    const std::string& configuration) {
  std::set<ProfileForm> wanted, found;
  std::set<std::string> recorded;  // libraries whose recorded build is pinned; "": the program
  auto want = [&](FileKind kind, const std::string& path) {
    if (!path.empty()) wanted.insert({kind, fs::path(path).filename(), "", "", ""});
  };
  want(made.compile_kind(), made.compile_profile);
  want(FileKind::kGo, made.go_profile);
  for (const BoltProfile& profile : made.bolt)
    wanted.insert({FileKind::kBolt, fs::path(profile.path).filename(), configuration,
                   profile.library, profile.build});
  for (const ProfileFile& file : pinned.files) {
    if (file.kind <= FileKind::kGo)
      found.insert({file.kind, file.name, file.configuration, file.library, file.bolt_of});
    if (file.kind == FileKind::kPrebolt) recorded.insert(file.library);
  }
  for (const BoltProfile& profile : made.bolt)
    if (profile.prebolt && !recorded.contains(profile.library)) return false;
  return wanted == found;
}

}  // namespace pgo
