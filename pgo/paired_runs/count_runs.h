// count_runs(): instructions and taken branches of two programs, under emulation.
//
//   PairedRunsRequest request;
//   request.commands = {"./server.old --bench", "./server.new --bench"};
//   PGO_TRY(CountedRunsResult result, count_runs(request, {.search_path = path}));
//
// Counts are exact where times are noise: they do not depend on the machine, nor on what else it
// does. They are not cost: caches, branch prediction and the kernel are not in them. Each side runs
// twice, because a program may do other work in each run (threads, times, addresses as keys).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/paired_runs/paired_runs.h"
#include "pgo/record/emulator.h"
#include "pgo/record/event_counts.h"
#include "pgo/verify/ratio_estimate.h"

namespace pgo {

inline constexpr size_t kCountedRuns = 2;  // of each side

struct CountRange {
  uint64_t low = 0, high = 0;

  bool is_exact() const { return low == high; }
};

struct EventFigure {
  const char* name = "";             // "instructions"
  std::array<CountRange, 2> counts;  // before, after
  double ratio = 1;                  // after / before, of the middles of the ranges
  verify::RatioInterval interval;    // of the ends; no width if both are exact

  bool is_exact() const { return counts[0].is_exact() && counts[1].is_exact(); }
};

struct CountedRunsResult {
  Outcome outcome = Outcome::kInconclusive;
  // Why it is inconclusive: instructions are within the limits, taken branches grew.
  bool only_branches_grew = false;
  // That a load did; 0: not known. If the loads did not do as many, they are not the same work, and
  // the outcome is inconclusive, too.
  CountRange requests;
  bool of_service = false;
  EventFigure instructions, taken_branches;
  Diagnostics diagnostics;  // of the first run of each side
};

// Counts of the whole command, with the shell that runs it and with all that it starts. Of a
// service: from the begin of the second load to the end of the server. `request.max_pairs` is not
// used.
//
// kPass: the number of instructions is within the limits, and that of taken branches has not grown
// beyond the accepted growth. kFail: that of instructions has. Neither for loads that did different
// numbers of requests.
//
// Errors: those of find_emulator(), resolve_command() and take_turn(); kUnsupported for a QEMU that
// loads no plugins, and for more processes than can be counted.
Result<CountedRunsResult> count_runs(const PairedRunsRequest& request,
                                     const EmulatorOptions& options);

// The verdict of `counts`, of each side in each run, whose loads did `requests`.
CountedRunsResult judge_counts(const std::array<std::vector<EventCounts>, 2>& counts,
                               const Limits& limits, CountRange requests = {});

}  // namespace pgo
