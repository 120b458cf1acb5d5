// Records running processes for some time, in the background: this process gets its signals itself,
// and a request to end it ends the recording early.
//
//   DeferredTermination termination;
//   TimedRecording wanted;
//   wanted.pids = {42}; wanted.duration = 30s; wanted.directory = work;
//   PGO_TRY(TimedRun run, record_for_some_time(setup, wanted, termination));
//   if (!run.recording.empty()) ...
//
// When this process is killed, perf ends as well.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/result.h"
#include "pgo/record/perf_recorder.h"

namespace pgo {

struct TimedRecording {
  std::vector<int64_t> pids;
  std::chrono::milliseconds duration{0};
  std::string directory;           // exists; what perf writes goes there
  std::optional<uint64_t> period;  // instead of the recipe's
  // Beyond the duration: opening the events of many threads takes time, and so does completing a
  // large file.
  std::chrono::milliseconds time_to_start{30'000}, time_to_complete{30'000};
};

// Paths of complete recordings; empty: there is none.
struct TimedRun {
  std::string recording, clock_recording;
  std::string complaint;  // what perf said, where `recording` is empty
};

// When a request to end waits in `termination`, perf gets a SIGTERM, on which it completes its
// file. Error: kIo when perf cannot be run or does not end.
Result<TimedRun> record_for_some_time(const PerfSetup& setup, const TimedRecording& wanted,
                                      const DeferredTermination& termination);

}  // namespace pgo
