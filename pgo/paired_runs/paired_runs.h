// run_pairs(): is a program cheaper than another? Both run in turn, and the ratio of what a pair of
// runs cost is what counts: a machine that becomes slower meanwhile slows both down.
//
//   PairedRunsRequest request;
//   request.commands = {"./server.old --bench", "./server.new --bench"};
//   PGO_TRY(PairedRunsResult result, run_pairs(request));
//   if (result.outcome == Outcome::kPass) ...
//
// The pairs are looked at after every fifth of them, and no more are run when they decide.
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

// The first look: what fewer pairs say of their own spread is not worth much.
inline constexpr size_t kFirstLook = 7;
inline constexpr size_t kLooks = 5;
// Of wrong verdicts on programs that cost the same, all looks together.
inline constexpr double kRunsError = .05;

// A machine is noisy from this standard deviation of the logarithms of ratios on, and a run short
// below so many seconds of CPU time.
inline constexpr double kNoisySpread = .05, kShortRun = .05;

struct PairedRunsRequest {
  std::array<std::string, 2> commands;  // before, after; of the shell
  Limits limits;                        // of the CPU time; those of functions do not count
  size_t max_pairs = kFirstLook * kLooks;
  bool compare_outputs = true;
  ProgressFn progress;
};

struct RunFigure {
  const char* name = "";  // "wall time"
  const char* unit = "";  // "s", "bytes"
  std::array<double, 2> medians{};
  PairEstimate estimate;  // 95 %, as if there was one look
};

struct PairedRunsResult {
  Outcome outcome = Outcome::kInconclusive;
  PairEstimate cost;                  // of CPU time; its interval is that of the last look
  std::optional<double> times_pairs;  // that would decide; nothing: none would
  size_t pairs = 0, looks = 0;
  bool noisy = false;              // pairs differ so much that a change of 1 % takes hundreds
  bool too_short = false;          // runs of a few milliseconds: starting them is what counts
  std::vector<RunFigure> figures;  // CPU, user, system and wall time, peak memory
};

// Errors: kUsage for fewer pairs than kFirstLook; kIo for a command that cannot be run; kMismatch
// for one that fails or outputs that differ.
Result<PairedRunsResult> run_pairs(const PairedRunsRequest& request);

}  // namespace pgo
