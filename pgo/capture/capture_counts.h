// What became of the recordings of a service on a host, and of the profiles that they gave: nothing
// is lost but what is counted.
//
//   begun == kept + without_samples + failed + interrupted      (+ 1 while one is under way)
//   made == stored + dropped + what waits in the spool
#pragma once

#include <cstdint>

namespace pgo {

struct RecordingCounts {
  uint64_t begun = 0;
  uint64_t kept = 0;             // gave profiles
  uint64_t without_samples = 0;  // the service did not run
  uint64_t failed = 0;           // perf failed, or what it wrote could not be read or kept
  uint64_t interrupted = 0;      // this program, or the machine, ended meanwhile

  bool operator==(const RecordingCounts&) const = default;
};

struct ProfileCounts {
  uint64_t made = 0;     // entered the spool
  uint64_t stored = 0;   // the destination has them
  uint64_t dropped = 0;  // the oldest, when the spool was full

  bool operator==(const ProfileCounts&) const = default;
};

// Turns without a recording.
struct SkippedTurns {
  uint64_t paused = 0, without_process = 0, over_budget = 0;

  bool operator==(const SkippedTurns&) const = default;
};

struct CaptureCounts {
  RecordingCounts recordings;
  ProfileCounts profiles;
  SkippedTurns skipped;

  bool operator==(const CaptureCounts&) const = default;
};

}  // namespace pgo
