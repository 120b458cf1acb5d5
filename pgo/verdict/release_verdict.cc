#include "pgo/verdict/release_verdict.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "converters/llvm_sample/profile_digest.h"
#include "pgo/base/file_name.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/number_text.h"
#include "pgo/profile/thresholds.h"
#include "pgo/verdict/cost_verdict.h"

namespace pgo {
namespace {

// Sample types of pprof and perf that count waiting, or what is held: no cost of a unit of work.
bool is_no_cost(std::string_view type) {
  constexpr std::array<std::string_view, 12> kTypes{
      "delay", "contentions", "wall",    "wall_time", "wall-time",   "block",
      "mutex", "off_cpu",     "off-cpu", "offcpu",    "inuse_space", "inuse_objects"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

Result<void> check(const VerifyRequest& request) {
  if (request.compared.by != RowsBy::kFunction)
    return fail(ErrorKind::kUsage, "a release is judged by function");
  if (request.compared.measure == verify::Measure::kTotal)
    return fail(ErrorKind::kUsage, "a release is judged per unit of work, or by shares");
  if (!request.profile.empty() && request.compared.binaries.empty())
    return fail(ErrorKind::kUsage,
                "\xFF{profile} " + request.profile +
                    ": needs the binary of the after side; name it with \xFF{binary}");
  if (!request.profile.empty()) PGO_CHECK(MappedFile::open(request.profile));
  return ok();
}

CostChange cost_of(const verify::RatioEstimate& estimate) {
  return {estimate.ratio(), estimate.interval(kVerdictLevel), estimate.interval(kShownLevel)};
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

// "0.0512", "41.4", "1 180 000".
std::string few_digits(double amount) {
  if (amount >= 10) return format_amount(amount);
  char text[32];
  return std::string(
      text, std::to_chars(text, text + sizeof text, amount, std::chars_format::general, 3).ptr);
}

// Releases differ in cost by less: a larger ratio is one of the figures of units.
constexpr double kMostRatio = 10;

void warn_of_units(DiffResult& result) {
  if (!result.total || result.total->rate_a <= 0 || result.total->rate_b <= 0) return;
  const double ratio = result.total->rate_b / result.total->rate_a;
  if (ratio <= kMostRatio && ratio >= 1 / kMostRatio) return;
  auto units_of = [&](size_t side) {
    const DiffSide& its = result.sides[side];
    return few_digits(its.units / its.samples) + " (" + few_digits(its.units) + " units, " +
           format_count(static_cast<uint64_t>(whole_number(its.samples)), "sample") + ")";
  };
  result.diagnostics.warn(
      "units-differ", "a unit of work costs " + few_digits(ratio > 1 ? ratio : 1 / ratio) +
                          " times as much " + kSideNames[ratio > 1 ? 1 : 0] + " as " +
                          kSideNames[ratio > 1 ? 0 : 1] +
                          "; units of work per sample: " + units_of(0) + " before, " + units_of(1) +
                          " after: are the units of both sides counted alike, or one side's in "
                          "thousands?");
}

// What the builds say of themselves, and how much of the profile matches.
Result<void> examine_builds(const VerifyRequest& request, VerifyResult& result) {
  PGO_TRY(result.builds, find_builds(request.compared.binaries, result.comparison));
  warn_of_builds(result.builds, result.comparison.diagnostics);
  if (request.profile.empty()) return ok();
  PGO_TRY(MappedFile profile, MappedFile::open(request.profile));
  const std::string digest = profile_digest(profile.bytes());
  const ReleaseBuild* build = build_of_profile(result.builds, result.comparison, digest);
  if (build == nullptr) {
    result.comparison.diagnostics.warn("profile-not-matched",
                                       request.profile +
                                           ": cannot be compared with a build: no profile of "
                                           "the after side has the build ID of a binary "
                                           "that was given");
    return ok();
  }
  warn_of_other_profile(result.builds, *build, {request.profile, digest},
                        result.comparison.diagnostics);
  MatchRequest matched;
  matched.binary = build->path;
  matched.profile = request.profile;
  matched.debug = request.compared.debug;
  matched.jobs = request.compared.jobs;
  Result<MatchResult> found = match(matched);
  if (!found) {  // the verdict stands without it
    result.comparison.diagnostics.warn("profile-not-matched", found.error().message);
    return ok();
  }
  result.match = *std::move(found);
  result.comparison.diagnostics.add(result.match->diagnostics);
  result.unreached =
      find_unreached(result.comparison, result.match->match, std::string(file_name(build->path)),
                     request.limits.function_share);
  return ok();
}

void warn_of_missing_cycles(DiffResult& comparison) {
  std::string sides;
  for (size_t side = 0; side < 2; side++) {
    const DiffSide& its = comparison.sides[side];
    if (its.window_weight > 0) continue;
    if (its.stacks_unclocked == 0) return;  // has no branch records
    sides += (sides.empty() ? "" : " and ") + std::string(kSideNames[side]);
  }
  if (!sides.empty())
    comparison.diagnostics.warn(
        "no-cycle-counts",
        "the branch records " + sides +
            " have no cycle counts, so growth is not split into calls and their cost; processors "
            "of Intel have recorded them since Skylake (perf record -e cycles -j any,u)");
}

void split_growths(VerifyResult& result) {
  std::vector<GrownFunction>& grown = result.functions.grown;
  DiffResult& comparison = result.comparison;
  if (!grown.empty()) warn_of_missing_cycles(comparison);
  for (GrownFunction& function : grown) {
    const DiffRow& row = comparison.rows[function.row];
    function.calls = split_growth(
        {row.calls, {comparison.sides[0].window_weight, comparison.sides[1].window_weight}},
        row.flat.estimate.ratio(), result.cost ? result.cost->ratio : 1);
  }
}

void decide_cost(VerifyResult& result) {
  if (!result.cost) return;
  const verify::RatioInterval& interval = result.cost->interval;
  result.cost_outcome = judge_cost(interval, result.limits);
  const Limits& limits = result.limits;
  const bool expects_it = limits.drop && 1 - *limits.drop <= 1 / kMostRatio;
  if (result.cost_outcome == Outcome::kPass && result.cost->ratio < 1 / kMostRatio && !expects_it) {
    result.cost_outcome = Outcome::kInconclusive;
    result.cost_doubt = Doubt::kUnits;
  }
  if (result.cost_outcome != Outcome::kInconclusive || result.cost_doubt != Doubt::kNone) return;
  result.times_data = data_to_decide(result.cost->ratio, interval, result.limits);
  const bool is_open = interval.low <= 0 || !std::isfinite(interval.high);
  result.cost_doubt = result.times_data || is_open ? Doubt::kWideInterval : Doubt::kBetween;
}

void decide_functions(VerifyResult& result) {
  FunctionVerdict& functions = result.functions;
  if (std::abs(functions.nameless[0] - functions.nameless[1]) > thresholds::kNamelessDifference) {
    functions.grown.clear();
    result.functions_doubt = Doubt::kNames;
  } else if (functions.grown.empty() && !functions.like_others.empty()) {
    result.functions_doubt = Doubt::kShares;
  } else if (!result.cost && functions.grown.empty() &&
             functions.known < thresholds::kKnownFunctions) {
    result.functions_doubt = Doubt::kFunctions;
  }
}

void decide(VerifyResult& result, bool sampling_only) {
  if (result.comparison.basis == verify::Basis::kSampling && !sampling_only) {
    result.doubt = result.cost_doubt = result.functions_doubt = Doubt::kOneProfile;
    return;
  }
  decide_cost(result);
  decide_functions(result);
  if (!result.functions.grown.empty() || result.cost_outcome == Outcome::kFail)
    result.outcome = Outcome::kFail;
  else if (result.functions_doubt != Doubt::kNone)
    result.doubt = result.functions_doubt;
  else if (result.cost)
    std::tie(result.outcome, result.doubt) = std::pair(result.cost_outcome, result.cost_doubt);
  else
    result.outcome = Outcome::kPass;
}

}  // namespace

VerifyResult judge_release(DiffResult comparison, const Limits& limits, bool sampling_only,
                           const std::map<RowKey, double>& function_growth) {
  VerifyResult result;
  result.comparison = std::move(comparison);
  result.limits = limits;
  result.functions = judge_functions(result.comparison, limits, function_growth);
  if (result.comparison.total) result.cost = cost_of(result.comparison.total->estimate);
  decide(result, sampling_only);
  split_growths(result);
  return result;
}

Result<VerifyResult> verify_release(const VerifyRequest& request) {
  PGO_CHECK(check(request));
  DiffRequest compared = request.compared;
  std::optional<ReleaseSpread> spread;
  if (!request.earlier.empty()) {
    PGO_TRY(spread, measure_spread(request.earlier, compared));
  }
  compared.counts_calls = compared.wants_bodies = true;
  PGO_TRY(DiffResult comparison, diff(compared));
  if (request.compared.sample_type.empty() && is_no_cost(comparison.type))
    return fail(ErrorKind::kUnsupported,
                "the profiles count " + comparison.type +
                    ", which is not a cost; compare CPU profiles, or judge this with "
                    "\xFF{sample-type} " +
                    comparison.type);
  warn_of_processors(comparison);
  warn_of_units(comparison);
  Limits limits = request.limits;
  if (spread) {
    if (!request.keeps_growth) limits = spread_limits(*spread, comparison, limits);
    spread->own_limits = function_limits(comparison, limits, *spread);
  }
  VerifyResult result = judge_release(std::move(comparison), limits, request.sampling_only,
                                      spread ? spread->own_limits : std::map<RowKey, double>());
  result.spread = std::move(spread);
  if (!result.cost && limits.drop)
    result.comparison.diagnostics.warn(
        "expect-without-units",
        "the cost is not expected to drop, because units of work are missing (\xFF{units-before}, "
        "\xFF{units-after}): shares cannot show a change that all functions have in common");
  PGO_CHECK(examine_builds(request, result));
  return result;
}

}  // namespace pgo
