// Conversions: the files that the profiles of a service become, each with the report of the
// conversion that made it.
//
// When one build alone was recorded, one conversion makes all. The counts of several builds become
// one compile profile. But a BOLT profile has the counts of one build, so there is a conversion for
// each: one for the program, and one for each shared library that ran enough.
#pragma once

#include <memory>
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
  PinnedBolt pinned;
  std::string bundle;     // path
  std::string directory;  // for the files
};

struct ConvertedFiles {
  std::string compile_profile;  // path; empty: no output is one for clang or GCC
  Format compile_format = Format::kLlvm;
  std::shared_ptr<ConvertResult> compile;  // the conversion that made it
  std::string go_profile;                  // path; empty: none
  std::vector<BoltProfile> bolt;           // of the program, then of libraries, by name
  std::vector<MissingBoltProfile> missing_bolt;
  Diagnostics diagnostics;  // of the choice of builds

  // The program's BOLT profile, if there is no other output, decides about the version.
  bool has_profiles() const {
    return !compile_profile.empty() || !go_profile.empty() || find_bolt_profile(bolt) != nullptr;
  }
  FileKind compile_kind() const {
    return is_gcc_profile(compile_format) ? FileKind::kGcc : FileKind::kLlvm;
  }
  // Each conversion once, also of profiles that were not taken.
  std::vector<const ConvertResult*> conversions() const;
};

// A BOLT profile with inferred counts is left out when the builds that use it have a compile
// profile (bolt_evidence.h), unless the service asks for it: they would not use it. That of a
// library is also left out when its conversion fails.
//
// Errors: those of convert() and merge(); kMismatch for a stripped program if its BOLT profile is
// the only output; kIo.
Result<ConvertedFiles> convert_files(const ConversionPlan& plan);

// The window that was asked for moves with the clock; that of each member stays.
void forget_time_of_run(Bundle& bundle);

// What gates look at; without match rate and overlap. Counts are those of the compile profile, or
// else of the program's BOLT profile, or of the profiles for Go. Each BOLT profile that another
// conversion made has its own, too.
GateFigures figures_of(const FetchResult& fetched, const FoundBuilds& builds,
                       const ConvertedFiles& files);

// Leaves out the BOLT profiles of libraries whose gates fail, and their figures: the gates of the
// program alone decide about the version. Not even they do, beside a compile profile, where the
// program itself has few of the samples.
void leave_out_thin_bolt_profiles(const ServiceGates& gates, ConvertedFiles& files,
                                  GateFigures& figures);

}  // namespace pgo
