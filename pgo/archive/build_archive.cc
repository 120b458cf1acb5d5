#include "pgo/archive/build_archive.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "pgo/binary/binary.h"

namespace pgo {
namespace {

bool has(const std::vector<ReleaseRole>& roles, ReleaseRole role) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

Failure wrong_build(const ArchivedFile& file, const BuildId& expected) {
  return fail(ErrorKind::kInput,
              file.place + ": is archived as build " + expected.hex() + ", but has " +
                  (file.build_id.empty() ? "no build ID" : "the build ID " + file.build_id.hex()),
              "remove it, and archive the file of that build");
}

}  // namespace

Result<bool> lacks_symbols(const std::vector<ArchivedFile>& files, const DebugPlaces& places) {
  if (files.size() != 1) return false;
  PGO_TRY(const ElfImage image, ElfImage::open(files[0].path));
  if (!image.symbols().empty() || has_debug_info(image)) return false;
  PGO_TRY(const std::optional<std::string> debug, find_debug_file(image, places));
  return !debug;
}

BuildId archive_key(const BuildId& id) {
  return BuildId(id.bytes().first(std::min(id.bytes().size(), kRecordedIdSize)));
}

std::vector<BuildId> BuildArchive::relatives_among(const std::set<BuildId>& builds,
                                                   const BuildId& id) {
  std::vector<BuildId> relatives;
  for (const BuildId& build : builds)
    if (build != id && build.matches_bolted(id)) relatives.push_back(build);
  return relatives;
}

Result<ArchivedFile> BuildArchive::open(const BuildId& build, ReleaseRole role) {
  PGO_TRY(FetchedFile fetched, fetch(build, role));
  const Result<ElfImage> image = ElfImage::open(fetched.path);
  if (!image)
    return fail(image.error().kind, fetched.place + ": cannot be read: " + image.error().message,
                image.error().advice);
  return ArchivedFile{role, image->build_id(), std::move(fetched.path), std::move(fetched.place)};
}

Result<std::vector<ArchivedFile>> BuildArchive::find(const BuildId& id, ArchivedUse use) {
  PGO_TRY(std::vector<ArchivedFile> found, find_executable(id, use));
  if (!found.empty()) return found;
  return find_prebolt(id, use);
}

Result<std::vector<ArchivedFile>> BuildArchive::find_executable(const BuildId& id,
                                                                ArchivedUse use) {
  std::vector<ArchivedFile> found;
  PGO_TRY(const std::vector<ReleaseRole> roles, list(id, use));
  if (!has(roles, ReleaseRole::kExecutable)) return found;
  PGO_TRY(ArchivedFile executable, open(id, ReleaseRole::kExecutable));
  // llvm-bolt's output may have the place that its input would have, by the same key.
  if (archive_key(id) != id && !executable.build_id.matches(id) &&
      executable.build_id.matches_bolted(id))
    return found;
  if (!executable.build_id.matches(id)) return wrong_build(executable, id);
  found.push_back(std::move(executable));
  if (use == ArchivedUse::kExecutable) return found;
  for (const ReleaseRole role : {ReleaseRole::kDebug, ReleaseRole::kPrebolt}) {
    if (!has(roles, role)) continue;
    PGO_TRY(ArchivedFile file, open(id, role));
    if (!file.build_id.matches_bolted(id)) return wrong_build(file, id);
    found.push_back(std::move(file));
  }
  return found;
}

// Among what was archived of a release that llvm-bolt made of it.
Result<std::vector<ArchivedFile>> BuildArchive::find_prebolt(const BuildId& id, ArchivedUse use) {
  std::vector<ArchivedFile> found;
  PGO_TRY(const std::vector<BuildId> releases, list_relatives(id));
  for (const BuildId& release : releases) {
    PGO_TRY(const std::vector<ReleaseRole> roles, list(release, use));
    if (!has(roles, ReleaseRole::kPrebolt)) continue;
    PGO_TRY(ArchivedFile prebolt, open(release, ReleaseRole::kPrebolt));
    if (!prebolt.build_id.matches(id)) continue;  // `id` is another layout, which is not here
    prebolt.role = ReleaseRole::kExecutable;
    found.push_back(std::move(prebolt));
    if (use == ArchivedUse::kExecutable || !has(roles, ReleaseRole::kDebug)) return found;
    PGO_TRY(ArchivedFile debug, open(release, ReleaseRole::kDebug));
    if (debug.build_id.matches(id)) found.push_back(std::move(debug));
    return found;
  }
  return found;
}

Result<std::vector<ArchivedFile>> find_in_archives(const std::vector<BuildArchive*>& archives,
                                                   const BuildId& id, ArchivedUse use) {
  for (BuildArchive* archive : archives) {
    PGO_TRY(std::vector<ArchivedFile> files, archive->find(id, use));
    if (!files.empty()) return files;
  }
  return std::vector<ArchivedFile>();
}

std::string archive_names(const std::vector<BuildArchive*>& archives) {
  std::string names;
  for (const BuildArchive* archive : archives)
    names += (names.empty() ? "" : ", ") + archive->name();
  return names;
}

}  // namespace pgo
