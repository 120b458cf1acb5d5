// calibrate(): how often would the limits call a release a regression on this fleet, although
// nothing changed? The profiles of one release are split at random into two halves, many times, and
// each split is judged as a release.
//
//   CalibrationRequest request;
//   request.compared.sides[0] = {"fleet/"};
//   PGO_TRY(Calibration result, calibrate(request));
//   result.splits[0].failed, result.splits[0].count   // how many false alarms, of how many
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "pgo/diff/diff.h"
#include "pgo/verdict/fleet_splits.h"
#include "pgo/verdict/limits.h"

namespace pgo {

struct CalibrationRequest {
  DiffRequest compared;  // the fleet is sides[0], with its units; sides[1] is not used
  Limits limits;
  size_t splits = 200;  // of each kind, at most
};

// The splits of one kind. They are of the same profiles, so their verdicts depend on each other:
// 200 splits tell less than 200 fleets.
struct SplitVerdicts {
  SplitKind kind = SplitKind::kHosts;
  size_t count = 0;
  bool are_all = false;  // the fleet has no other splits
  size_t failed = 0, passed = 0, inconclusive = 0;
  size_t failed_by_cost = 0, failed_by_functions = 0;
  // With these limits, at most one of forty splits would fail by its cost, and one of forty by a
  // function.
  std::optional<double> growth;           // none for shares
  std::optional<double> function_growth;  // none if no limit up to 10 000 % is enough
  // The growth of the cost at which half of the splits would fail. None for shares, and if half of
  // the intervals are open.
  std::optional<double> detectable;
};

struct Calibration {
  std::vector<verify::Member> members;  // of the fleet
  Limits limits;
  std::vector<SplitVerdicts> splits;
  Diagnostics diagnostics;
};

// Errors: those of read_side_rows(); kEmpty for a fleet of too few profiles; kUsage for a total of
// units, which does not say how much each host did, and for standardized shares.
// O(splits * rows * members).
Result<Calibration> calibrate(const CalibrationRequest& request);

// The same of rows that were read before: of flat[0], with its units of work. Of `request`, inputs
// are not used. Error: kEmpty for too few profiles.
Result<std::vector<SplitVerdicts>> judge_splits(const Rows& rows,
                                                const CalibrationRequest& request);

}  // namespace pgo
