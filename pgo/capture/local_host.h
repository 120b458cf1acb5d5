// The CaptureHost of this machine: perf records, /proc tells the processes, upload() sends.
#pragma once

#include <memory>
#include <string>

#include "pgo/base/end_deadline.h"
#include "pgo/capture/capture.h"
#include "pgo/capture/capture_host.h"
#include "pgo/record/engine.h"
#include "pgo/source/profile_destination.h"

namespace pgo {

// Beside what a CaptureRequest says.
struct LocalHostOptions {
  RecordedService service;
  std::string pause_file;  // empty: none
  EngineWish engine = EngineWish::kAny;
  // Of the engine's event; nothing: the engine's, or, with an interval, one with which clock
  // samples cost at most max_overhead of the request.
  std::optional<uint64_t> period;
  ProfileDestination* destination = nullptr;  // outlives the host
  KernelPaths kernel;
  std::string search_path;  // for perf
  // The destination may have the same one.
  std::shared_ptr<EndDeadline> end = std::make_shared<EndDeadline>();
};

// How this machine records.
struct LocalEngine {
  bool has_branches = false;
  std::string explanation;  // "CPU time (no branch records)"
  uint64_t period = 0;
  bool has_clock = false;  // clock samples beside the branch records
};

// Requests to end this process (SIGINT, SIGTERM, SIGHUP) are the host's as long as it is there: it
// tells of them, ends a recording early, and takes them with it.
class LocalHost : public CaptureHost {
 public:
  // For the recordings of `request`, which is not kept. Tries what perf can record here: branch
  // records, or else clock samples. Error: kUnsupported when neither works; kUsage for emulation.
  static Result<std::unique_ptr<LocalHost>> open(const LocalHostOptions& options,
                                                 const CaptureRequest& request);

  virtual LocalEngine engine() const = 0;
};

}  // namespace pgo
