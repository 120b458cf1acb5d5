// run_pairs(): is one program cheaper than another? Runs both in turn and judges the ratio of CPU
// times within each pair of runs, so that a machine that gets slower affects both programs.
//
//   PairedRunsRequest request;
//   request.commands = {"./server.old --bench", "./server.new --bench"};
//   PGO_TRY(PairedRunsResult result, run_pairs(request));
//   if (result.outcome == Outcome::kPass) ...
//
// With a ServiceRequest, the commands are servers that run until they are stopped. The pairs are
// evaluated after each fifth of max_pairs; run_pairs() stops as soon as they decide.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/paired_runs/looks.h"
#include "pgo/paired_runs/pair_statistics.h"
#include "pgo/paired_runs/run_figures.h"
#include "pgo/paired_runs/service_run.h"
#include "pgo/verdict/limits.h"

namespace pgo {

// A machine is noisy if the standard deviation of the logarithms of the ratios is above
// kNoisySpread. A run is short below kShortRun seconds of CPU time.
inline constexpr double kNoisySpread = .05, kShortRun = .05;

struct PairedRunsRequest {
  std::array<std::string, 2> commands;    // before, after; run by the shell
  std::optional<ServiceRequest> service;  // the commands are servers, and how to load them
  Limits limits;                          // for the CPU time; those of functions are not used
  size_t max_pairs = kFirstLook * kLooks;
  bool compare_outputs = true;  // of commands that are no servers
  // Where to look for perf, to count instructions of commands; empty: they are not counted.
  std::string search_path;
  ProgressFn progress;
};

struct PairedRunsResult {
  Outcome outcome = Outcome::kInconclusive;
  // CPU time, or that of a request; the interval has the level of the last look.
  PairEstimate cost;
  std::optional<double> times_pairs;  // as many pairs would decide; none: more pairs would not
  size_t pairs = 0, looks = 0;
  bool noisy = false;       // to detect a change of 1 % would take hundreds of pairs
  bool too_short = false;   // a run, or a load, is short
  bool of_service = false;  // the commands are servers
  // The cost is that of a request, because the loads tell how many they did.
  bool per_request = false;
  // If they do not: the median of the seconds that they took, if most took the same. They may run
  // for a fixed time, and then the cost of a load says nothing.
  std::optional<double> equal_wall_time;
  // CPU, user, system and wall time; what else is known: peak memory, the load's, instructions.
  std::vector<RunFigure> figures;
  Diagnostics diagnostics;
};

// Errors: kUsage for fewer pairs than kFirstLook; kIo for a command that cannot be run; kMismatch
// for a command that fails and for outputs that differ; those of Service.
Result<PairedRunsResult> run_pairs(const PairedRunsRequest& request);

// One run of a side of the request, measured.
Result<Turn> take_turn(const PairedRunsRequest& request, size_t side);

// Error: kMismatch for outputs that differ, unless the request allows it.
Result<void> check_outputs(const PairedRunsRequest& request, const TurnPair& pair);

}  // namespace pgo
