// Blending: a new compile profile with those of earlier runs, so that one unusual week does not
// decide alone.
//
// Each version keeps the profiles of the last runs as they were before blending ("generations":
// NAME.generation-1.prof is the newest). A blend adds them up by whole weights: the new profile
// counts twice as much as the one before it, that twice as much as the next, and so on. What is
// older than the generations that are kept is gone for good, unlike in a sum of sums.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "converters/format.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/versions/pull.h"

namespace pgo {

struct BlendRequest {
  std::string profile;              // path of the new one
  Format format = Format::kLlvm;    // of it, and of the blend
  std::string directory;            // where files may be made
  std::string name;                 // of the service: NAME.generation-1.prof
  std::vector<PulledFile> earlier;  // of the pinned version: any files of kind kGeneration
  uint64_t generations = 0;         // how many earlier ones are added at most; 1 or more
  unsigned jobs = 0;
};

struct BlendResult {
  std::string contents;  // of the blend
  std::vector<std::string>
      generations;       // paths of files to keep: the new profile, and earlier ones
  uint64_t blended = 0;  // earlier profiles
  Diagnostics diagnostics;
};

// Errors: those of merge(), also for profiles by line and by probe; kIo.
Result<BlendResult> blend(const BlendRequest& request);

}  // namespace pgo
