// What the counts of an fdata rest on: BOLT's format does not say, but the report of `pgo convert
// --report` beside it does.
#pragma once

#include <optional>
#include <string>

#include "pgo/profile/quality.h"

namespace pgo {

struct ReportedEvidence {
  Evidence evidence = Evidence::kUnknown;
  Quality quality = Quality::kUnknown;
  std::string report;  // its path
};

// Looks for the report that lists this digest: first PROFILE.json, then the name of the profile
// with the extension .json, then up to 200 other files *.json in its directory. Nothing if no
// report lists the digest: the evidence is unknown.
std::optional<ReportedEvidence> find_reported_evidence(const std::string& profile,
                                                       const std::string& digest);

}  // namespace pgo
