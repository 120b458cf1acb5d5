// capture(): records a service again and again, a part of the time, and sends the profiles to a
// store.
//
//   PGO_TRY(Spool spool, Spool::open("/var/lib/prodpgo/queryd", {}));
//   CaptureRequest request;
//   request.interval = 600 * kSecond;
//   PGO_TRY(CaptureResult result, capture(request, host, spool));
//
// One turn of the loop:
//
//   wait until the turn's time, which differs from host to host     CaptureSchedule
//   leave it out: paused, nothing runs, or the budget is used up    OverheadBudget
//   record the processes of the service                             CaptureHost (perf)
//   put the profiles into the spool                                 Spool
//   send what the spool has, the oldest first                       SpoolSender
//
// A profile leaves the spool when the store has it. While the store is unreachable, the spool
// fills, and then the oldest are dropped. A recording that fails is counted, and the loop goes on;
// it ends where the first recording may not be made, and when the one process has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/capture/capture_counts.h"
#include "pgo/capture/capture_host.h"
#include "pgo/capture/spool.h"

namespace pgo {

struct CaptureRequest {
  int64_t duration = 0;             // of a recording, in nanoseconds
  std::optional<int64_t> interval;  // nanoseconds; nothing: one recording, now
  uint64_t seed = 0;                // of the times in the intervals; differs from host to host
  double max_overhead = 0.01;       // share of the service's CPU time; only with an interval
  double clock_sample_cost = 0, branch_sample_cost = 0;  // seconds
  Labels labels;                                         // of the profiles, with `service`
  std::string service_text;                              // "unit queryd.service", for messages
  bool is_one_process = false;  // a number, which another process may get later
  // Called when the recording is about to start; without an interval, only if something runs.
  std::function<void()> starting = [] {};
  // What happens, as it happens.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// The whole cost, as it is estimated: CPU time of this process and of perf, and the interrupts of
// the samples.
struct CaptureCost {
  double own_cpu = 0, interrupts = 0;  // seconds
  double service_cpu = 0;              // seconds between the first and the last look at the service
};

struct CaptureResult {
  CaptureCounts counts;                     // of the spool: also those of earlier runs
  ProfileCounts of_run;                     // of this run
  uint64_t waiting = 0, waiting_bytes = 0;  // in the spool
  uint64_t waiting_here = 0;                // of these, for the destination of this run
  uint64_t samples = 0;                     // of the recordings of this run
  CaptureCost cost;
  // Why the last recording failed, or the store did not get the profiles in the last round.
  std::optional<Error> last_error;
};

// The label of clock samples that were recorded beside branch records: "queryd.clock" for "queryd".
// Branch records make profiles for compilers, and clock samples tell what code costs; in a store
// they are different services, so that neither is taken for the other.
std::string clock_service(const std::string& service);

// Returns when the host is asked to end, or after one recording. Errors: kIo when the spool cannot
// be written or processes cannot be listed; what keeps the service from being recorded, without an
// interval or if the first recording may not be made.
Result<CaptureResult> capture(const CaptureRequest& request, CaptureHost& host, Spool& spool);

}  // namespace pgo
