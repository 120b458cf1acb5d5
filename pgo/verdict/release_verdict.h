// verify_release(): is a release cheaper or more expensive than the one that it replaces, or is
// there not enough data to tell?
//
//   VerifyRequest request;
//   request.compared.sides = {{{"before/"}, {"after/"}}};
//   request.compared.measure = verify::Measure::kPerUnit;
//   request.compared.units = {1200000, 1180000};    // of work, on each side
//   PGO_TRY(VerifyResult result, verify_release(request));
//   if (result.outcome == Outcome::kFail) ...
//
// It uses diff(), by function. Per unit of work, it judges the total cost and the functions. In
// shares, it can judge only the functions, because shares cannot show a change that all functions
// have in common.
#pragma once

#include <optional>

#include "pgo/diff/diff.h"
#include "pgo/verdict/earlier_releases.h"
#include "pgo/verdict/grown_functions.h"
#include "pgo/verdict/limits.h"
#include "pgo/verdict/release_build.h"
#include "pgo/verdict/unreached_functions.h"

namespace pgo {

struct VerifyRequest {
  DiffRequest compared;  // rows are functions; shares, or per unit of work
  Limits limits;
  // Several releases before, instead of compared.sides[0]: the limits are how much they differ, at
  // least those of `limits`.
  std::vector<EarlierRelease> earlier;
  // The profile that the release after was built with; empty: unknown. How much of it matches the
  // build, one of compared.binaries?
  std::string profile;
  // Keep limits.growth although `earlier` has another limit.
  bool keeps_growth = false;
  // With one profile per side, judge by sampling error alone; this ignores how much hosts and hours
  // differ.
  bool sampling_only = false;
};

// The change of the cost of a unit of work: after / before.
struct CostChange {
  double ratio = 1;
  verify::RatioInterval interval;  // kVerdictLevel
  verify::RatioInterval shown;     // 95 %
};

// Why the outcome is inconclusive.
enum class Doubt {
  kNone,
  kOneProfile,    // one profile per side, so how much hosts differ is unknown
  kWideInterval,  // more data will decide; how much, `times_data` says where it is known
  kBetween,       // more data will not decide: between the limits for pass and fail
  kNames,         // one side has names of functions where the other has none
  kFunctions,     // for too many functions, growth cannot be ruled out
  kShares,        // the shares of most code grew alike: others fell, or all of these grew
  kUnits,         // so much cheaper, unexpectedly, that the units of both sides may differ
};

struct VerifyResult {
  Outcome outcome = Outcome::kInconclusive;
  Doubt doubt = Doubt::kNone;
  std::optional<CostChange> cost;                 // none for shares
  Outcome cost_outcome = Outcome::kInconclusive;  // of the cost alone
  Doubt cost_doubt = Doubt::kNone;                // why that is inconclusive
  std::optional<double> times_data;  // as much data would decide on the cost, for its kWideInterval
  FunctionVerdict functions;
  Doubt functions_doubt = Doubt::kNone;  // why these do not decide
  Limits limits;
  std::optional<ReleaseSpread> spread;  // of VerifyRequest::earlier
  std::vector<ReleaseBuild> builds;     // of DiffRequest::binaries
  std::optional<MatchResult> match;     // of VerifyRequest::profile
  std::vector<UnreachedFunction> unreached;
  DiffResult comparison;
};

// Errors: those of diff(); kUsage for totals and for rows that are not functions; kUnsupported for
// a sample type that measures waiting instead of cost, unless the request names this type.
Result<VerifyResult> verify_release(const VerifyRequest& request);

// Judges a comparison of functions, in shares or per unit of work. `function_growth`: accepted of
// functions that have limits of their own.
VerifyResult judge_release(DiffResult comparison, const Limits& limits, bool sampling_only,
                           const std::map<RowKey, double>& function_growth = {});

}  // namespace pgo
