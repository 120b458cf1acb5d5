#include "pgo/refresh/found_builds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/fetch/fleet_figures.h"

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

struct SampledFile {
  std::string path;
  double share = 0;
};

// Files with samples, by build ID; without the kernel.
std::map<std::string, SampledFile> find_sampled_files(const FetchResult& fetched) {
  std::map<std::string, SampledFile> files;
  double total = 0;
  for (const FetchedProfile& profile : fetched.profiles) {
    const double weighted = weighted_total(profile);
    total += weighted * (1 - profile.inspected.outside_files);
    for (const InspectedBuild& build : profile.inspected.builds) {
      if (build.total <= 0 || build.path.starts_with('[')) continue;
      SampledFile& file = files[build.id];
      file.share += weighted * build.total / profile.inspected.total;
      if (file.path.empty() || (!build.path.empty() && build.path < file.path))
        file.path = build.path;
    }
  }
  for (auto& [id, file] : files) file.share = total > 0 ? std::min(file.share / total, 1.0) : 0;
  return files;
}

// Where distributions install their libraries, and their programs, which a recording of a whole
// host has, too.
bool is_of_system(const std::string& path) {
  constexpr const char* kDirectories[] = {
      "/bin/",       "/sbin/",       "/lib/",        "/lib32/",   "/lib64/",
      "/libx32/",    "/usr/bin/",    "/usr/sbin/",   "/usr/lib/", "/usr/lib32/",
      "/usr/lib64/", "/usr/libx32/", "/usr/libexec/"};
  return std::any_of(std::begin(kDirectories), std::end(kDirectories),
                     [&](const char* directory) { return path.starts_with(directory); });
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

double FoundBuilds::missing_share() const {
  double archived = 0, lacking = 0;
  for (const FoundBuild& build : builds) archived += build.share;
  for (const MissingBuild& build : missing)
    if (!build.is_of_system) lacking += build.share;
  return lacking > 0 ? lacking / (archived + lacking) : 0;
}

std::string describe_missing_build(const MissingBuild& build,
                                   const std::vector<BuildArchive*>& archives) {
  const std::string share = format_share(build.share) + " of the samples; these are not used";
  if (build.id.empty()) return "profiles without a build ID have " + share;
  const std::string name = build.id + (build.path.empty() ? "" : " (" + build.path + ")");
  if (!build.stripped.empty())
    return build.stripped + ": is stripped, and no archive has a debug file of it, the build " +
           name + ", which has " + share +
           "; archive its debug file, too ('pgo archive \xFF{debug-file}')";
  const auto to = std::find_if(archives.begin(), archives.end(),
                               [](const BuildArchive* one) { return !one->has_foreign_files(); });
  return "no archive has the build " + name + ", which has " + share +
         "; archive it: 'pgo archive " + (build.path.empty() ? "FILE" : build.path) + " \xFF{to} " +
         (to == archives.end() ? "ARCHIVE" : (*to)->name()) + "'";
}

Result<FoundBuilds> find_builds(const FetchResult& fetched,
                                const std::vector<BuildArchive*>& archives) {
  FoundBuilds found;
  std::map<std::string, SampledFile> files = find_sampled_files(fetched);
  for (const ProgramBuild& program : fetched.builds) {
    const SampledFile file = files[program.id];
    files.erase(program.id);
    if (program.is_left_out) continue;
    PGO_TRY(Finding finding, find_in(archives, program.id));
    if (!finding.stripped.empty())
      return fail(ErrorKind::kMismatch,
                  finding.stripped + ": is stripped, and " + archive_names(archives) +
                      " has no debug file of it, the build " + program.id,
                  "archive its debug file, too ('pgo archive \xFF{debug-file}')");
    if (finding.build)
      found.builds.push_back(
          {*std::move(finding.build), file.share, true, program.share, file.path});
    else  // without build IDs, files cannot be told apart
      found.missing.push_back({program.id, program.id.empty() ? program.share : file.share, true,
                               false, file.path, ""});
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
  const auto first_other = static_cast<std::ptrdiff_t>(found.missing.size());
  for (const auto& [id, file] : files) {
    PGO_TRY(Finding finding, find_in(own_archives, id));
    // A stripped library, of the system for instance, is as one that is not there.
    if (finding.build && finding.stripped.empty())
      found.builds.push_back({*std::move(finding.build), file.share, false, 0, file.path});
    else
      found.missing.push_back(
          {id, file.share, false, is_of_system(file.path), file.path, finding.stripped});
  }
  std::stable_sort(found.missing.begin() + first_other, found.missing.end(),
                   [](const MissingBuild& a, const MissingBuild& b) { return a.share > b.share; });
  return found;
}

}  // namespace pgo
