// ArchivedBinaries: the binaries that were sampled, found in archives by their build IDs.
//
//   PGO_TRY(std::vector<SampledBuild> builds, find_sampled_builds(inputs, 0));
//   PGO_TRY(ArchivedBinaries found, find_archived_binaries(builds, archives, {"./server"}));
//   found.binaries, found.debug_files      beside the binaries that were named
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pgo/archive/build_archive.h"
#include "pgo/archive/sampled_builds.h"
#include "pgo/base/result.h"
#include "pgo/binary/binary.h"

namespace pgo {

using BuildArchives = std::vector<std::unique_ptr<BuildArchive>>;

struct ArchivedBinaries {
  std::vector<std::string> binaries;     // paths: what was sampled, and llvm-bolt's inputs
  std::vector<std::string> debug_files;  // paths: of these
  std::vector<ArchivedFile> files;       // all of them
  std::vector<ArchivedFile> stripped;    // executables that were left out
};

// Looks for each build in the archives, in their order: the first that has it counts. Builds of
// `named`, which are paths, are not looked for. It is no error that an archive does not have a
// build, such as the C library. Errors: those of the archives; kMismatch when nothing is found and
// nothing was named; kInput when there is no build to look for.
//
// For counts, a stripped executable without a debug file, in the archive or among `debug`, cannot
// be used. It is left out, as one that is not archived, if another one can be used: debuginfod
// servers have libraries of the system, too.
Result<ArchivedBinaries> find_archived_binaries(const std::vector<SampledBuild>& builds,
                                                const BuildArchives& archives,
                                                const std::vector<std::string>& named,
                                                BinaryUse use = BinaryUse::kNames,
                                                const DebugPlaces& debug = {});

// What llvm-bolt made of the file `input` and was sampled. Nothing when no such build was sampled.
// Errors: those of the archives; kMismatch when no archive has it.
Result<std::optional<ArchivedFile>> find_archived_bolted(const std::vector<SampledBuild>& builds,
                                                         const BuildArchives& archives,
                                                         const std::string& input);

}  // namespace pgo
