// run_pairs(): is one program cheaper than another? Runs both in turn and judges the ratio of CPU
// times within each pair of runs, so that a machine that gets slower affects both programs.
//
//   PairedRunsRequest request;
//   request.commands = {"./server.old --bench", "./server.new --bench"};
//   PGO_TRY(PairedRunsResult result, run_pairs(request));
//   if (result.outcome == Outcome::kPass) ...
//
// The pairs are evaluated after each fifth of max_pairs; run_pairs() stops as soon as they decide.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/base/subprocess.h"
#include "pgo/paired_runs/pair_statistics.h"
#include "pgo/verdict/limits.h"

namespace pgo {

// Pairs before the first look: fewer pairs do not give a useful estimate of their own variance.
inline constexpr size_t kFirstLook = 7;
inline constexpr size_t kLooks = 5;
// The rate of wrong verdicts for programs of equal cost, over all looks.
inline constexpr double kRunsError = .05;

// A machine is noisy if the standard deviation of the logarithms of the ratios is above
// kNoisySpread. A run is short below kShortRun seconds of CPU time.
inline constexpr double kNoisySpread = .05, kShortRun = .05;

struct PairedRunsRequest {
  std::array<std::string, 2> commands;  // before, after; run by the shell
  Limits limits;                        // for the CPU time; the limits of functions are not used
  size_t max_pairs = kFirstLook * kLooks;
  bool compare_outputs = true;
  ProgressFn progress;
};

struct RunFigure {
  const char* name = "";  // "wall time"
  const char* unit = "";  // "s", "bytes"
  std::array<double, 2> medians{};
  PairEstimate estimate;  // at 95 %, without the correction for several looks
};

struct PairedRunsResult {
  Outcome outcome = Outcome::kInconclusive;
  PairEstimate cost;                  // CPU time; the interval has the level of the last look
  std::optional<double> times_pairs;  // as many pairs would decide; none: more pairs would not
  size_t pairs = 0, looks = 0;
  bool noisy = false;              // to detect a change of 1 % would take hundreds of pairs
  bool too_short = false;          // program start is a large part of each run
  std::vector<RunFigure> figures;  // CPU, user, system and wall time, peak memory
};

// Errors: kUsage for fewer pairs than kFirstLook; kIo for a command that cannot be run; kMismatch
// for a command that fails and for outputs that differ.
Result<PairedRunsResult> run_pairs(const PairedRunsRequest& request);

}  // namespace pgo
