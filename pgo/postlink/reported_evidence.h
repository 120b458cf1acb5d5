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

// Looks for a report that lists this digest: in the files that are called as `profile` is, with
// ".json" behind or instead of its extension, then in the others whose names end in .json in its
// directory, at most 200 of them. Nothing when none is: then nothing is known.
std::optional<ReportedEvidence> find_reported_evidence(const std::string& profile,
                                                       const std::string& digest);

}  // namespace pgo
