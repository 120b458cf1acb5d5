#include "pgo/verdict/release_verdict.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/verdict/cost_verdict.h"

namespace pgo {
namespace {

// Waiting threads use no CPU time. These words are in the names of pprof's and perf's sample types
// that measure waiting.
bool counts_waiting(std::string_view type) {
  constexpr std::array<std::string_view, 6> kWords{"delay", "contentions", "wall",
                                                   "block", "mutex",       "offcpu"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return type.find(word) != type.npos; });
}

Result<void> check(const VerifyRequest& request) {
  if (request.compared.by != RowsBy::kFunction)
    return fail(ErrorKind::kUsage, "a release is judged by function");
  if (request.compared.measure == verify::Measure::kTotal)
    return fail(ErrorKind::kUsage, "a release is judged per unit of work, or by shares");
  return ok();
}

CostChange cost_of(const verify::RatioEstimate& estimate) {
  constexpr double kShown = .95;
  return {estimate.ratio(), estimate.interval(kVerdictLevel), estimate.interval(kShown)};
}

// The same work takes different time on different processors.
void warn_of_processors(DiffResult& result) {
  std::set<std::string> models = result.sides[0].cpu_models;
  models.insert(result.sides[1].cpu_models.begin(), result.sides[1].cpu_models.end());
  if (models.size() < 2) return;
  std::string names;
  for (const std::string& model : models) names += (names.empty() ? "" : "; ") + model;
  result.diagnostics.warn(
      "several-processors",
      "the profiles come from " + format_count(models.size(), "processor model") + " (" + names +
          "), which differ in the cost of the same work: compare profiles of one "
          "model (INPUT#cpu_model=...)",
      1);
}

void decide(VerifyResult& result, bool sampling_only) {
  const verify::Basis basis = result.comparison.basis;
  if (basis == verify::Basis::kSampling && !sampling_only) {
    result.doubt = Doubt::kOneProfile;
    return;
  }
  Outcome by_cost = Outcome::kInconclusive;
  if (result.cost) by_cost = judge_cost(result.cost->interval, result.limits);
  if (!result.functions.grown.empty() || by_cost == Outcome::kFail) {
    result.outcome = Outcome::kFail;
  } else if (result.cost) {
    result.outcome = by_cost;
    if (by_cost == Outcome::kPass) return;
    result.times_data = data_to_decide(result.cost->ratio, result.cost->interval, result.limits);
    result.doubt = result.times_data ? Doubt::kWideInterval : Doubt::kBetween;
  } else if (result.functions.known >= kKnownFunctions) {
    result.outcome = Outcome::kPass;
  } else {
    result.doubt = Doubt::kFunctions;
  }
}

}  // namespace

VerifyResult judge_release(DiffResult comparison, const Limits& limits, bool sampling_only) {
  VerifyResult result;
  result.comparison = std::move(comparison);
  result.limits = limits;
  result.functions = judge_functions(result.comparison, limits);
  if (result.comparison.total) result.cost = cost_of(result.comparison.total->estimate);
  decide(result, sampling_only);
  return result;
}

Result<VerifyResult> verify_release(const VerifyRequest& request) {
  PGO_CHECK(check(request));
  PGO_TRY(DiffResult comparison, diff(request.compared));
  if (request.compared.sample_type.empty() && counts_waiting(comparison.type))
    return fail(ErrorKind::kUnsupported,
                "the profiles count " + comparison.type +
                    ", which is waiting, not CPU cost; compare CPU profiles, or judge waiting with "
                    "\xFF{sample-type} " +
                    comparison.type);
  warn_of_processors(comparison);
  return judge_release(std::move(comparison), request.limits, request.sampling_only);
}

}  // namespace pgo
