// What the counts of an fdata rest on: BOLT's format does not say, but the report does that
// `pgo convert -o X.fdata --report X.json` wrote beside it. (X.fdata.json is looked for, too.)
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

// Looks into the files that are called as `profile` is, with ".json" behind or instead of its
// extension. Nothing when neither is the report of the profile with this digest: then nothing is
// known.
std::optional<ReportedEvidence> find_reported_evidence(const std::string& profile,
                                                       const std::string& digest);

}  // namespace pgo
