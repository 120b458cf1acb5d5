#include "pgo/archive/archived_binaries.h"

#include <algorithm>
#include <set>
#include <utility>

#include "pgo/binary/binary.h"

namespace pgo {
namespace {

constexpr size_t kMaxShown = 8;

std::vector<BuildArchive*> pointers_to(const BuildArchives& archives) {
  std::vector<BuildArchive*> pointers;
  for (const auto& archive : archives) pointers.push_back(archive.get());
  return pointers;
}

std::string names_of(const BuildArchives& archives) { return archive_names(pointers_to(archives)); }

std::string list_of(const std::vector<SampledBuild>& builds) {
  std::string text;
  for (size_t i = 0; i < std::min(kMaxShown, builds.size()); i++)
    text += "\n  " + builds[i].id.hex() + "  " +
            (builds[i].path.empty() ? "(no name)" : builds[i].path);
  if (builds.size() > kMaxShown)
    text += "\n  and " + std::to_string(builds.size() - kMaxShown) + " more";
  return text;
}

Failure not_archived(const std::vector<SampledBuild>& builds, const BuildArchives& archives) {
  return fail(ErrorKind::kMismatch,
              names_of(archives) +
                  ": no file has one of the build IDs that were sampled:" + list_of(builds),
              "'pgo archive' in the release job keeps such files; \xFF{binary} names one that you "
              "have");
}

Result<std::vector<BuildId>> builds_of(const std::vector<std::string>& paths) {
  std::vector<BuildId> ids;
  for (const std::string& path : paths) {
    PGO_TRY(const ElfImage image, open_elf(path));
    ids.push_back(image.build_id());
  }
  return ids;
}

bool has_match(const std::vector<BuildId>& ids, const BuildId& id) {
  return std::any_of(ids.begin(), ids.end(),
                     [&](const BuildId& other) { return other.matches(id); });
}

}  // namespace

Result<ArchivedBinaries> find_archived_binaries(const std::vector<SampledBuild>& builds,
                                                const BuildArchives& archives,
                                                const std::vector<std::string>& named,
                                                BinaryUse use, const DebugPlaces& debug) {
  if (builds.empty() && named.empty())
    return fail(ErrorKind::kInput,
                "the inputs have no samples with a build ID that could be looked for in " +
                    names_of(archives),
                "name the binary with \xFF{binary}");
  ArchivedBinaries found;
  std::vector<ArchivedFile> debug_files;
  PGO_TRY(std::vector<BuildId> known, builds_of(named));
  for (const SampledBuild& build : builds) {
    if (has_match(known, build.id)) continue;
    PGO_TRY(std::vector<ArchivedFile> files,
            find_in_archives(pointers_to(archives), build.id, ArchivedUse::kSymbolize));
    if (use == BinaryUse::kCounts) {
      PGO_TRY(const bool is_useless, lacks_symbols(files, debug));
      if (is_useless) {
        found.stripped.push_back(std::move(files[0]));
        continue;
      }
    }
    for (ArchivedFile& file : files) {
      if (file.role == ReleaseRole::kDebug) {
        debug_files.push_back(std::move(file));
        continue;
      }
      // llvm-bolt's input may have been sampled, too, or named.
      if (has_match(known, file.build_id)) continue;
      known.push_back(file.build_id);
      found.binaries.push_back(file.path);
      found.files.push_back(std::move(file));
    }
  }
  // Whoever reads them says what they lack.
  if (found.binaries.empty() && named.empty()) {
    for (ArchivedFile& file : found.stripped) {
      found.binaries.push_back(file.path);
      found.files.push_back(std::move(file));
    }
    found.stripped.clear();
  }
  // One file for what llvm-bolt made and for its input is found twice.
  std::set<std::string> paths;
  for (ArchivedFile& file : debug_files) {
    if (!has_match(known, file.build_id) || !paths.insert(file.path).second) continue;
    found.debug_files.push_back(file.path);
    found.files.push_back(std::move(file));
  }
  if (found.binaries.empty() && named.empty()) return not_archived(builds, archives);
  return found;
}

Result<std::optional<ArchivedFile>> find_archived_bolted(const std::vector<SampledBuild>& builds,
                                                         const BuildArchives& archives,
                                                         const std::string& input) {
  using Found = std::optional<ArchivedFile>;
  PGO_TRY(const ElfImage image, open_elf(input));
  std::vector<SampledBuild> bolted;
  for (const SampledBuild& build : builds) {
    if (build.id.matches(image.build_id())) return Found();  // it was sampled itself
    if (build.id.matches_bolted(image.build_id())) bolted.push_back(build);
  }
  if (bolted.empty()) return Found();
  PGO_TRY(std::vector<ArchivedFile> files,
          find_in_archives(pointers_to(archives), bolted[0].id, ArchivedUse::kExecutable));
  if (files.empty()) return not_archived(bolted, archives);
  return Found(std::move(files[0]));
}

}  // namespace pgo
