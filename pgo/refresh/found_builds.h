// FoundBuilds: the builds that profiles have samples of, with the files that archives have of them.
//
// Each build ID with samples is looked for: programs, and the shared libraries that were released
// with them. Files that no archive has (the system's libraries) are left out, and so are stripped
// libraries without a debug file. A debuginfod server may have the system's libraries today and
// others tomorrow, so libraries are not looked for there. Programs that no archive has are
// reported. If no archive has any of the programs, nothing can be converted.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pgo/archive/build_archive.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/fetch/fetch.h"

namespace pgo {

// Paths of files on this machine.
struct ArchivedBuild {
  BuildId id = {};              // of the executable
  std::string executable = {};  // or the shared library
  std::string debug = {};       // empty: none is archived
  std::string prebolt = {};     // llvm-bolt's input, where llvm-bolt made the executable
};

struct FoundBuild {
  ArchivedBuild files;
  double share = 0;         // of the weighted samples, of a program; 0 for libraries
  bool is_program = false;  // the main binary of profiles
};

struct MissingBuild {
  std::string id;    // in hexadecimal
  double share = 0;  // of the weighted samples
};

struct FoundBuilds {
  std::vector<FoundBuild> builds;     // the programs with the largest shares first; then libraries
  std::vector<MissingBuild> missing;  // programs

  // Of builds and, where llvm-bolt made them, of llvm-bolt's inputs; each file once.
  std::vector<std::string> binaries() const;
  DebugPlaces debug() const;
  std::set<std::string> libraries() const;  // their build IDs, in hexadecimal
};

// Errors: those of the archives; kMismatch when no program is found, and for a
// stripped one without a debug file.
Result<FoundBuilds> find_builds(const FetchResult& fetched,
                                const std::vector<BuildArchive*>& archives);

}  // namespace pgo
