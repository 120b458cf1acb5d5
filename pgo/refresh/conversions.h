// Conversions: the files that the profiles of a service become, each with the report of the
// conversion that made it.
//
// Usually one conversion makes all. When several builds were recorded, their counts become one
// compile profile, but a BOLT profile has those of one build: a second conversion makes it.
#pragma once

#include <string>
#include <vector>

#include "pgo/convert/convert.h"
#include "pgo/refresh/found_builds.h"
#include "pgo/refresh/gates.h"
#include "pgo/refresh/refresh.h"

namespace pgo {

struct ConversionPlan {
  const RefreshRequest* request = nullptr;
  const FetchResult* fetched = nullptr;
  const FoundBuilds* builds = nullptr;
  // The digest of the pinned compile profile: choose_for_bolt() prefers builds made with it.
  std::string pinned_profile;
  std::string bundle;     // path
  std::string directory;  // for the files
};

struct ConvertedFiles {
  std::string compile_profile;  // path; empty: no output is one for clang or GCC
  Format compile_format = Format::kLlvm;
  std::string bolt_profile;            // path; empty: none
  std::string go_profile;              // likewise
  std::vector<ConvertResult> results;  // of the compile profile, or of all; then of BOLT's
  std::string bolt_build;              // build ID that `bolt_profile` is of, before BOLT
  std::string bolt_input;              // path of that build in the archive
  std::string bolt_recorded;           // build ID of the program that ran, which may be the same
  // Of the build that the BOLT profile is of: the digest of the compile profile that it was built
  // with, as its note says; empty: it does not say.
  std::string built_with;
  // Why no BOLT profile is made, although the service wants one; empty: one is made, or none is
  // wanted.
  std::string refused_bolt;

  bool has_profiles() const {
    return !compile_profile.empty() || !bolt_profile.empty() || !go_profile.empty();
  }
};

// A program that can have a BOLT profile.
struct BoltChoice {
  const FoundBuild* build = nullptr;
  std::string path;        // of llvm-bolt's input
  std::string build_id;    // of that
  std::string built_with;  // digest of a compile profile; empty: not known
  bool has_note = false;   // one of our packages for build systems linked it
};

// A build with a smaller share of the samples is not preferred: its profile would have few counts.
inline constexpr double kMinPreferredShare = .1;

// The one with the most samples; if some were built with the pinned profile, of these. `choices`
// are in the order of FoundBuilds. Null: there are none.
const BoltChoice* choose_for_bolt(const std::vector<BoltChoice>& choices,
                                  const std::string& pinned_profile);

// A BOLT profile with inferred counts is left out when the builds that use it have a compile
// profile (bolt_evidence.h), unless the service asks for it: they would not use it. If nothing else
// is made, it stays in `results`.
//
// Errors: those of convert() and merge(); kIo.
Result<ConvertedFiles> convert_files(const ConversionPlan& plan);

// The window that was asked for moves with the clock; that of each member stays.
void forget_time_of_run(Bundle& bundle);

// What gates look at; without match rate and overlap.
GateFigures figures_of(const FetchResult& fetched, const FoundBuilds& builds,
                       const ConvertedFiles& files);

}  // namespace pgo
