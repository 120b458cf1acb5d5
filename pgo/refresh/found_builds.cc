#include "pgo/refresh/found_builds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "pgo/base/number_text.h"

namespace pgo {
namespace {

ArchivedBuild build_of(const std::vector<ArchivedFile>& files) {
  ArchivedBuild build;
  for (const ArchivedFile& file : files) switch (file.role) {
      case ReleaseRole::kExecutable:
        build.id = file.build_id;
        build.executable = file.path;
        break;
      case ReleaseRole::kDebug: build.debug = file.path; break;
      case ReleaseRole::kPrebolt: build.prebolt = file.path; break;
    }
  return build;
}

// What an archive has of a build.
struct Finding {
  std::optional<ArchivedBuild> build;
  std::string stripped;  // where the executable is, if it cannot be used without a debug file
};

Result<Finding> find_in(const std::vector<BuildArchive*>& archives, const std::string& id) {
  const std::optional<BuildId> build = BuildId::from_hex(id);
  if (!build || build->bytes().size() < BuildId::kMinSize) return Finding();
  PGO_TRY(const std::vector<ArchivedFile> files,
          find_in_archives(archives, *build, ArchivedUse::kSymbolize));
  if (files.empty()) return Finding();
  PGO_TRY(const bool is_useless, lacks_symbols(files, {}));
  return Finding{build_of(files), is_useless ? files[0].place : ""};
}

// Libraries, by build ID; the programs are known already.
std::set<std::string> other_builds(const FetchResult& fetched) {
  std::set<std::string> ids;
  for (const FetchedProfile& profile : fetched.profiles)
    for (const InspectedBuild& build : profile.inspected.builds)
      if (build.samples > 0 || build.total > 0) ids.insert(build.id);
  for (const ProgramBuild& program : fetched.builds) ids.erase(program.id);
  return ids;
}

}  // namespace

std::vector<std::string> FoundBuilds::binaries() const {
  std::vector<std::string> paths;
  auto add = [&](const std::string& path) {
    if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end())
      paths.push_back(path);
  };
  for (const FoundBuild& build : builds) {
    add(build.files.executable);
    add(build.files.prebolt);
  }
  return paths;
}

DebugPlaces FoundBuilds::debug() const {
  DebugPlaces places;
  std::set<std::string> files;
  for (const FoundBuild& build : builds)
    if (!build.files.debug.empty()) files.insert(build.files.debug);
  places.files.assign(files.begin(), files.end());
  return places;
}

std::set<std::string> FoundBuilds::libraries() const {
  std::set<std::string> ids;
  for (const FoundBuild& build : builds)
    if (!build.is_program) ids.insert(build.files.id.hex());
  return ids;
}

Result<FoundBuilds> find_builds(const FetchResult& fetched,
                                const std::vector<BuildArchive*>& archives) {
  FoundBuilds found;
  for (const ProgramBuild& program : fetched.builds) {
    if (program.is_left_out) continue;
    PGO_TRY(Finding finding, find_in(archives, program.id));
    if (!finding.stripped.empty())
      return fail(ErrorKind::kMismatch,
                  finding.stripped + ": is stripped, and " + archive_names(archives) +
                      " has no debug file of it, the build " + program.id,
                  "archive its debug file, too ('pgo archive \xFF{debug}')");
    if (finding.build)
      found.builds.push_back({*std::move(finding.build), program.share, true});
    else
      found.missing.push_back({program.id, program.share});
  }
  if (found.builds.empty()) {
    const std::string& id = found.missing.empty() ? "" : found.missing[0].id;
    if (id.empty())
      return fail(ErrorKind::kMismatch,
                  "the profiles name no build ID, by which archives are searched",
                  "link with -Wl,--build-id, and record with a tool that notes build IDs");
    return fail(ErrorKind::kMismatch,
                "no build that was recorded is archived; the build " + id + " has " +
                    format_share(found.missing[0].share) +
                    " of the samples; looked in: " + archive_names(archives),
                "'pgo archive' keeps the files of a release");
  }
  std::vector<BuildArchive*> own_archives = archives;
  std::erase_if(own_archives, [](BuildArchive* archive) { return archive->has_foreign_files(); });
  for (const std::string& id : other_builds(fetched)) {
    PGO_TRY(Finding finding, find_in(own_archives, id));
    // A stripped library, of the system for instance, is as one that is not there.
    if (finding.build && finding.stripped.empty())
      found.builds.push_back({*std::move(finding.build), 0, false});
  }
  return found;
}

}  // namespace pgo
