// BuildArchive: an archive that is read: which files it has of a build, by build ID. KeepRelease is
// the other direction.
//
//   PGO_TRY(std::vector<ArchivedFile> files, archive.find(id, ArchivedUse::kSymbolize));
//   files[0].path      where it can be read: in the archive itself, or in the cache of blobs
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "pgo/archive/release.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"

namespace pgo {

struct ArchivedFile {
  ReleaseRole role = ReleaseRole::kExecutable;
  BuildId build_id;   // of this file
  std::string path;   // where it can be read now
  std::string place;  // where the archive has it, for people
};

// Which files of a build are needed.
enum class ArchivedUse : uint8_t {
  kSymbolize,   // the executable with its debug file and llvm-bolt's input
  kExecutable,  // the executable only
};

class BuildArchive {
 public:
  BuildArchive() = default;
  BuildArchive(const BuildArchive&) = delete;
  BuildArchive& operator=(const BuildArchive&) = delete;
  virtual ~BuildArchive() = default;

  // As the user named it, for messages.
  virtual const std::string& name() const = 0;
  // Whether it may also have files that others put there, as a debuginfod server has the libraries
  // of a system.
  virtual bool has_foreign_files() const { return false; }

  // The executable with this build ID, first, and what belongs to it. Nothing where there is none.
  // llvm-bolt's input, which was archived with what llvm-bolt made of it, is found by its own build
  // ID, too. An ID that a recording cut to kRecordedIdSize finds the whole one. Errors: those of
  // the archive; kInput for a file of another build.
  Result<std::vector<ArchivedFile>> find(const BuildId& id, ArchivedUse use);

 protected:
  // Those of `builds` that belong to `id`, for list_relatives().
  static std::vector<BuildId> relatives_among(const std::set<BuildId>& builds, const BuildId& id);

  struct FetchedFile {
    std::string path, place;
  };

  // What the archive has of the release whose executable has the build ID `build`. Files that `use`
  // does not need may be left out.
  virtual Result<std::vector<ReleaseRole>> list(const BuildId& build, ArchivedUse use) = 0;
  // One of these. Called after list() with the same build.
  virtual Result<FetchedFile> fetch(const BuildId& build, ReleaseRole role) = 0;
  // The other executables of the archive that llvm-bolt made, as their build IDs tell, of the same
  // input as `build`, of `build` itself, or `build` of them. Sorted.
  virtual Result<std::vector<BuildId>> list_relatives(const BuildId& build) = 0;

 private:
  Result<std::vector<ArchivedFile>> find_executable(const BuildId& id, ArchivedUse use);
  Result<std::vector<ArchivedFile>> find_prebolt(const BuildId& id, ArchivedUse use);
  Result<ArchivedFile> open(const BuildId& build, ReleaseRole role);
};

// What the first of `archives` that has the build has of it; nothing where none has. Errors: those
// of find().
Result<std::vector<ArchivedFile>> find_in_archives(const std::vector<BuildArchive*>& archives,
                                                   const BuildId& id, ArchivedUse use);

// "dir:builds, oci-dir:releases".
std::string archive_names(const std::vector<BuildArchive*>& archives);

// Whether `files`, what an archive has of one build, do not tell its functions: an executable that
// is stripped, with no debug file there or in `places`. Errors: those of files.
Result<bool> lacks_symbols(const std::vector<ArchivedFile>& files, const DebugPlaces& places);

// What registries and stores of objects keep a build by: its ID, or the first 20 bytes of a longer
// one, since perf records no more of it. What llvm-bolt made of a file with such an ID has the same
// key as that file.
inline constexpr size_t kRecordedIdSize = 20;
BuildId archive_key(const BuildId& id);

}  // namespace pgo
