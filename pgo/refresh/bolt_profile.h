// BOLT profiles of a service: one of the program, and one of each shared library of its own that
// ran enough. Each is of one build, which may be a file of the version, too.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/convert/convert.h"
#include "pgo/refresh/found_builds.h"
#include "pgo/refresh/recorded_build.h"

namespace pgo {

struct BoltProfile {
  std::string library = {};   // library_name() of it; empty: of the program
  std::string path = {};      // of the profile
  std::string build = {};     // build ID that it is of, before BOLT
  std::string input = {};     // path of that build in the archive
  std::string recorded = {};  // build ID of the binary that ran, which may be the same
  // The digest of the compile profile that this build was made with, as its note says; empty: it
  // does not say.
  std::string built_with = {};
  double own_share = 1;                       // of all samples: those in this file
  std::optional<RecordedBuild> prebolt = {};  // the build as a file of the version
  // What made it: that of the compile profile, too, where one build alone was recorded.
  std::shared_ptr<ConvertResult> conversion = {};
};

// A program or library that can have a BOLT profile.
struct BoltChoice {
  const FoundBuild* build = nullptr;
  std::string library;     // as of BoltProfile
  double share = 0;        // of the samples
  std::string path;        // of llvm-bolt's input
  std::string build_id;    // of that
  std::string built_with;  // digest of a compile profile; empty: not known
  bool has_note = false;   // one of our packages for build systems linked it
};

// A BOLT profile that the service wants, and that the version does not have.
struct MissingBoltProfile {
  std::string library = {};  // as of BoltProfile
  std::string reason = {};   // "its counts were inferred from PC samples, ..."
  bool is_inferred = false;  // that is the reason
  bool was_pinned = false;   // the pinned version has one
  std::shared_ptr<ConvertResult> conversion = {};  // that made it, if it was made
};

// What a version is pinned for that a new one follows.
struct PinnedBolt {
  std::string compile_profile = {};      // digest; empty: none
  std::set<std::string> libraries = {};  // that have a BOLT profile
};

struct BoltSelection {
  std::vector<BoltChoice> chosen;  // the program's, then those of libraries, by name
  std::vector<MissingBoltProfile> missing;
};

// For the program, and for each library by name, the one with the most samples; if some were built
// with the pinned profile, of these.
std::vector<BoltChoice> choose_for_bolt(std::vector<BoltChoice> choices,
                                        const std::string& pinned_profile);

// The same, of what can have a BOLT profile among `builds`. Warns of files without a usable name,
// of other executables than the program, and of builds of one name in several folders. Errors:
// those of ElfImage.
Result<BoltSelection> choose_bolt_builds(const FoundBuilds& builds, const PinnedBolt& pinned,
                                         Diagnostics& diagnostics);

// "no BOLT profile of libquery.so is pinned: ...".
std::string describe_missing_bolt_profile(const MissingBoltProfile& missing);

// The one of the program, or of this library; null: there is none.
const BoltProfile* find_bolt_profile(const std::vector<BoltProfile>& profiles,
                                     const std::string& library = "");

// "queryd" of the program's files, "queryd.libquery.so" of those of a library.
std::string bolt_file_stem(const std::string& service, const std::string& library);

// Writes STEM.prebolt of each profile into `directory`: llvm-bolt's input, without which builds of
// changed sources use less of the BOLT profile. Warns where none can be written. Where the version
// has a compile profile, a build that was made without one gives none: the code is so different
// that most blocks match by guess. For queryd, BOLT then made 7 % more taken branches instead of
// fewer.
Result<void> write_recorded_builds(const std::string& directory, const std::string& service,
                                   bool has_compile_profile, std::vector<BoltProfile>& profiles,
                                   Diagnostics& diagnostics);

}  // namespace pgo
