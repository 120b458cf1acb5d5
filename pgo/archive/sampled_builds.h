// SampledBuild: a build that inputs have samples of, by its build ID: what is looked for in
// archives.
//
//   PGO_TRY(std::vector<SampledBuild> builds, find_sampled_builds({"recordings/"}, 0));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/result.h"

namespace pgo {

struct SampledBuild {
  BuildId id;
  std::string path;      // as one of the inputs recorded it; empty: not known
  uint64_t samples = 0;  // or counts, by what the input has

  bool operator==(const SampledBuild&) const = default;
};

// Of recordings, the files that instruction pointers lie in; of stack profiles, those that any
// frame lies in; of address profiles, those with counts. Not the kernel, nor what has no build ID.
// The most samples first; of equal ones by build ID. Inputs that cannot be read have none: whoever
// reads them for their samples says why. Errors: those of find_input_files(); kUsage for standard
// input, which can be read only once. O(samples).
Result<std::vector<SampledBuild>> find_sampled_builds(const std::vector<std::string>& inputs,
                                                      unsigned jobs);

}  // namespace pgo
