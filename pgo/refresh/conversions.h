// Conversions: the files that the profiles of a service become, each with the report of the
// conversion that made it.
//
// When one build alone was recorded, one conversion makes all. The counts of several builds become
// one compile profile. But a BOLT profile has the counts of one build, so there is a conversion for
// each: one for the program, and one for each shared library that ran enough.
#pragma once

#include <string>
#include <vector>

#include "pgo/convert/convert.h"
#include "pgo/refresh/bolt_profile.h"
#include "pgo/refresh/found_builds.h"
#include "pgo/refresh/gates.h"
#include "pgo/refresh/refresh.h"

namespace pgo {

struct ConversionPlan {
  const RefreshRequest* request = nullptr;
  const FetchResult* fetched = nullptr;
  const FoundBuilds* builds = nullptr;
  // The digest of the pinned compile profile: choose_bolt_builds() prefers builds made with it.
  std::string pinned_profile;
  std::string bundle;     // path
  std::string directory;  // for the files
};

struct ConvertedFiles {
  std::string compile_profile;  // path; empty: no output is one for clang or GCC
  Format compile_format = Format::kLlvm;
  std::string go_profile;              // path; empty: none
  std::vector<BoltProfile> bolt;       // of the program, then of libraries, by name
  std::vector<ConvertResult> results;  // of the compile profile, or of all; then of BOLT's
  // BOLT profiles that the service wants, and that were not made.
  std::vector<RefusedBoltProfile> refused_bolt;
  Diagnostics diagnostics;  // of the choice of builds

  bool has_profiles() const {
    return !compile_profile.empty() || !bolt.empty() || !go_profile.empty();
  }
};

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
