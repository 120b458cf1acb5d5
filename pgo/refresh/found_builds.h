// FoundBuilds: the builds that profiles have samples of, with the files that archives have of them.
//
// Each build ID with samples is looked for: programs, and the shared libraries that were released
// with them. Files that no archive has are left out and reported, and so are stripped libraries
// without a debug file. A debuginfod server may have the system's libraries today and others
// tomorrow, so libraries are not looked for there. If no archive has any of the programs, nothing
// can be converted.
//
// Shares are of all samples in user space, by the file that the sampled instruction lies in.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pgo/archive/build_archive.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/fetch/fetch.h"
#include "pgo/profile/thresholds.h"

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
  double share = 0;
  bool is_program = false;   // the main binary of profiles
  double program_share = 0;  // of all samples: of the profiles of this program; 0 for libraries
  std::string path = {};     // where it ran; empty: not known
};

struct MissingBuild {
  std::string id;  // in hexadecimal; empty: profiles without build IDs
  double share = 0;
  bool is_program = false;
  bool is_of_system = false;  // a file of the operating system, which nobody archives
  std::string path = {};      // where it ran; empty: not known
  std::string stripped = {};  // where an archive has it, without symbols; empty: none has it

  // Less is not worth a line.
  bool is_shown() const { return is_program || share >= thresholds::kShownBuildShare; }
};

struct FoundBuilds {
  std::vector<FoundBuild> builds;  // programs, those of the most samples first; then libraries
  // Programs, then other files; of each the largest share first.
  std::vector<MissingBuild> missing;

  // Of builds and, where llvm-bolt made them, of llvm-bolt's inputs; each file once.
  std::vector<std::string> binaries() const;
  DebugPlaces debug() const;
  std::set<std::string> libraries() const;  // their build IDs, in hexadecimal
  // Of the samples in files of the service: the share of those that no archive has. Files of the
  // system count for neither.
  double missing_share() const;
};

// "no archive has the build 3fa2… (/opt/queryd/libquery.so), which has 52.6 % of the samples; ...".
std::string describe_missing_build(const MissingBuild& build,
                                   const std::vector<BuildArchive*>& archives);

// Errors: those of the archives; kMismatch when no program is found, and for a
// stripped one without a debug file.
Result<FoundBuilds> find_builds(const FetchResult& fetched,
                                const std::vector<BuildArchive*>& archives);

}  // namespace pgo
