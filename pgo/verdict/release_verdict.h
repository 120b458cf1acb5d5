// verify_release(): was a release cheaper or dearer than what it replaced, or is there too little
// data to tell?
//
//   VerifyRequest request;
//   request.compared.sides = {{{"before/"}, {"after/"}}};
//   request.compared.measure = verify::Measure::kPerUnit;
//   request.compared.units = {1200000, 1180000};    of work that each side did
//   PGO_TRY(VerifyResult result, verify_release(request));
//   if (result.outcome == Outcome::kFail) ...
//
// The comparison is diff()'s, by function. Per unit of work, the cost of everything is judged, and
// the functions. In shares, only the functions can be: what all of them have in common does not
// show.
#pragma once

#include <optional>

#include "pgo/diff/diff.h"
#include "pgo/verdict/grown_functions.h"
#include "pgo/verdict/limits.h"

namespace pgo {

struct VerifyRequest {
  DiffRequest compared;  // rows are functions; shares, or per unit of work
  Limits limits;
  // Judge by the chance of sampling where there is one profile a side; how much hosts and hours
  // differ is not known then.
  bool sampling_only = false;
};

// Of a unit of work: after / before.
struct CostChange {
  double ratio = 1;
  verify::RatioInterval interval;  // kVerdictLevel
  verify::RatioInterval shown;     // 95 %
};

// Why the answer is not known.
enum class Doubt {
  kNone,
  kOneProfile,    // a side has one profile, so how much hosts differ is not known
  kWideInterval,  // more data will decide
  kBetween,       // more data will not decide: neither as cheap as expected nor too dear
  kFunctions,     // of too many functions it is not certain that they did not grow
};

struct VerifyResult {
  Outcome outcome = Outcome::kInconclusive;
  Doubt doubt = Doubt::kNone;
  std::optional<CostChange> cost;    // nothing for shares
  std::optional<double> times_data;  // of what there is, to decide; Doubt::kWideInterval
  FunctionVerdict functions;
  Limits limits;
  DiffResult comparison;
};

// In shares, tested functions that certainly did not grow must have this part of all tested ones'
// cost, or too little is known to pass.
inline constexpr double kKnownFunctions = .8;

// Errors: those of diff(); kUsage for totals and for rows that are not functions; kUnsupported for
// what counts waiting, which is no cost, unless the request names that type.
Result<VerifyResult> verify_release(const VerifyRequest& request);

// The verdict on a comparison of functions, in shares or per unit of work.
VerifyResult judge_release(DiffResult comparison, const Limits& limits, bool sampling_only);

}  // namespace pgo
