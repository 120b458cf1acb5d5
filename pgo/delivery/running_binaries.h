// RunningBinaries: the files that a recording of this host has samples of, as they ran.
//
//   const RunningBinaries running(pid);                    before the recording
//   PGO_TRY(std::vector<std::string> paths, running.find_sampled(recording, links, diagnostics));
//
// A program may have been replaced on disk since it was started, and one in a container has paths
// of its own. So besides the path that the recording has, /proc/PID/root and /proc/PID/exe are
// looked at. What has another build ID than the one that ran is not taken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/base/unique_fd.h"

namespace pgo {

// The kind of warning for a file that is not there as it ran.
inline constexpr const char* kBinaryGone = "binary-gone";

class RunningBinaries {
 public:
  // Holds the program of the process, which may end, open. Without a process, files count as they
  // are when they are looked for.
  explicit RunningBinaries(std::optional<int64_t> pid);

  // Paths, the most samples first. `links` is an existing directory for a link to the program,
  // which may have no other path. Errors: kEmpty when nothing sampled has a build ID; kMismatch
  // when no file is there as it ran.
  Result<std::vector<std::string>> find_sampled(const std::string& recording,
                                                const std::string& links,
                                                Diagnostics& diagnostics) const;

 private:
  std::optional<int64_t> pid_;
  UniqueFd program_;
};

}  // namespace pgo
