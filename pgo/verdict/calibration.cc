#include "pgo/verdict/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/base/parallel.h"
#include "pgo/diff/side_rows.h"
#include "pgo/verdict/release_verdict.h"

namespace pgo {
namespace {

constexpr double kTolerated = .025;  // part of the splits that may fail by cost, or by functions
constexpr double kMostGrowth = 100;  // the largest limit of functions that is tried

struct Fleet {
  const Rows& rows;
  verify::Measure measure;
  Limits limits;
};

// The members of one half. Hours name pairs of the whole fleet, not of halves.
verify::Side side_of(const verify::Side& whole, const Halves& halves, uint8_t half) {
  verify::Side side;
  std::vector<uint32_t> numbers(whole.members.size());
  for (size_t m = 0; m < whole.members.size(); m++) {
    if (halves[m] != half) continue;
    numbers[m] = static_cast<uint32_t>(side.members.size());
    side.members.push_back(whole.members[m]);
    side.members.back().hour.clear();
  }
  for (size_t row = 0; row < whole.rows.size(); row++) {
    for (verify::Cell cell : whole.rows[row]) {
      if (halves[cell.member] != half) continue;
      cell.member = numbers[cell.member];
      side.rows.push(cell);
    }
    side.rows.end_list();
  }
  return side;
}

Result<DiffResult> compare_halves(const Fleet& fleet, const Halves& halves) {
  const verify::Side& whole = fleet.rows.flat[0];
  const verify::Side before = side_of(whole, halves, 0), after = side_of(whole, halves, 1);
  verify::CompareOptions options{.measure = fleet.measure};
  PGO_TRY(verify::Comparison flat, verify::compare(before, after, options));
  DiffResult result;
  result.measure = fleet.measure;
  result.basis = flat.basis;
  for (size_t side = 0; side < 2; side++)
    for (const verify::Member& member : (side == 0 ? before : after).members) {
      result.sides[side].weight += member.weight;
      result.sides[side].samples += member.samples;
    }
  if (fleet.measure != verify::Measure::kShare) {
    PGO_TRY(verify::Comparison total, verify::compare(verify::everything(before.members),
                                                      verify::everything(after.members), options));
    result.total = total.rows[0];
  }
  for (size_t row = 0; row < fleet.rows.keys.size(); row++)
    result.rows.push_back({fleet.rows.keys[row], flat.rows[row], flat.rows[row], ""});
  return result;
}

// What one split says.
struct SplitVerdict {
  Outcome outcome = Outcome::kInconclusive;
  bool by_cost = false, by_functions = false;
  double growth = 0;           // the least limit that it does not fail by its cost with
  double function_growth = 0;  // ... and by functions; above kMostGrowth: there is none
  double detectable = 0;
};

// By bisection: the larger the limit, the less certain it is that a function exceeds it.
double least_function_growth(const DiffResult& comparison, Limits limits) {
  double low = 0, high = kMostGrowth;
  auto fails_with = [&](double growth) {
    limits.function_growth = growth;
    return !judge_functions(comparison, limits).grown.empty();
  };
  if (!fails_with(low)) return low;
  if (fails_with(high)) return std::numeric_limits<double>::infinity();
  for (int step = 0; step < 16; step++) {
    const double middle = (low + high) / 2;
    (fails_with(middle) ? low : high) = middle;
  }
  return high;
}

Result<SplitVerdict> judge_split(const Fleet& fleet, const Halves& halves) {
  PGO_TRY(DiffResult comparison, compare_halves(fleet, halves));
  SplitVerdict verdict;
  verdict.function_growth = least_function_growth(comparison, fleet.limits);
  VerifyResult result = judge_release(std::move(comparison), fleet.limits, false);
  verdict.outcome = result.outcome;
  verdict.by_cost = result.cost_outcome == Outcome::kFail;
  verdict.by_functions = !result.functions.grown.empty();
  if (result.cost) {
    const verify::RatioInterval& interval = result.cost->interval;
    verdict.growth = std::max(0.0, interval.low - 1);
    verdict.detectable = interval.low > 0
                             ? result.cost->ratio / interval.low * (1 + fleet.limits.growth) - 1
                             : std::numeric_limits<double>::infinity();
  }
  return verdict;
}

// The largest figure but for the `part` of them that are larger.
template <typename Figure>
double largest_but(const std::vector<SplitVerdict>& verdicts, double part, Figure figure) {
  std::vector<double> values;
  for (const SplitVerdict& verdict : verdicts) values.push_back(figure(verdict));
  std::sort(values.begin(), values.end());
  const auto above = static_cast<size_t>(part * static_cast<double>(values.size()));
  return values[values.size() - 1 - std::min(above, values.size() - 1)];
}

SplitVerdicts sum_up(SplitKind kind, const Fleet& fleet,
                     const std::vector<SplitVerdict>& verdicts) {
  SplitVerdicts sum;
  sum.kind = kind;
  sum.count = verdicts.size();
  for (const SplitVerdict& verdict : verdicts) {
    sum.failed += verdict.outcome == Outcome::kFail ? 1 : 0;
    sum.passed += verdict.outcome == Outcome::kPass ? 1 : 0;
    sum.inconclusive += verdict.outcome == Outcome::kInconclusive ? 1 : 0;
    sum.failed_by_cost += verdict.by_cost ? 1 : 0;
    sum.failed_by_functions += verdict.by_functions ? 1 : 0;
  }
  const double function_growth = largest_but(
      verdicts, kTolerated, [](const SplitVerdict& verdict) { return verdict.function_growth; });
  if (std::isfinite(function_growth)) sum.function_growth = function_growth;
  if (fleet.measure == verify::Measure::kShare) return sum;
  sum.growth =
      largest_but(verdicts, kTolerated, [](const SplitVerdict& verdict) { return verdict.growth; });
  const double median =
      largest_but(verdicts, .5, [](const SplitVerdict& verdict) { return verdict.detectable; });
  if (std::isfinite(median)) sum.detectable = median;
  return sum;
}

Result<SplitVerdicts> judge_kind(SplitKind kind, const Fleet& fleet,
                                 const CalibrationRequest& request) {
  const FleetSplits splits = split_fleet(fleet.rows.flat[0], kind, request.splits);
  const auto judge = [&](size_t i) { return judge_split(fleet, splits.splits[i]); };
  std::vector<SplitVerdict> verdicts;
  for (const Result<SplitVerdict>& one :
       parallel_map(splits.splits.size(), request.compared.jobs, judge)) {
    if (!one) return fail(one.error());
    verdicts.push_back(*one);
  }
  SplitVerdicts sum = sum_up(kind, fleet, verdicts);
  sum.are_all = splits.are_all;
  return sum;
}

Result<void> check_calibration(const CalibrationRequest& request) {
  if (request.compared.units[0] > 0)
    return fail(
        ErrorKind::kUsage,
        "a total of units of work does not show how much each host did, so hosts with more "
        "load would seem expensive; give the units of each host (\xFF{units-before} @FILE)");
  if (!request.compared.standardize.empty() && request.compared.measure == verify::Measure::kShare)
    return fail(ErrorKind::kUsage, "\xFF{standardize} of one fleet needs units of work");
  return ok();
}

Result<SideRows> read_fleet(const DiffRequest& request, Diagnostics& diagnostics) {
  return read_side_rows({.inputs = request.sides[0],
                         .unit_files = request.unit_files,
                         .whose = "the fleet",
                         .filter = request.filter,
                         .rows = {.by = request.by, .physical = request.physical},
                         .reader = {.path_template = request.path_template,
                                    .sample_type = request.sample_type,
                                    .stratum_key = request.standardize,
                                    .binaries = request.binaries,
                                    .debug = request.debug,
                                    .jobs = request.jobs,
                                    .progress = request.progress},
                         .outputs = request.outputs},
                        diagnostics);
}

// The units of work of each member; of hosts with several kinds of work, as if all had one mix.
Result<void> add_units(const DiffRequest& request, SideRows& fleet, Diagnostics& diagnostics) {
  const std::vector<std::string>& names = fleet.members.names;
  std::vector<verify::Member>& members = fleet.rows.flat[0].members;
  if (request.standardize.empty())
    return assign_units(request.member_units[0], 0, names, kSideNames[0], members, diagnostics);
  SideStrata& strata = fleet.members.strata;
  PGO_CHECK(assign_stratum_units(request.member_units[0], request.standardize, names, kSideNames[0],
                                 members, strata, diagnostics));
  fleet.rows.flat[1] = fleet.rows.flat[0];
  fleet.rows.cumulative = fleet.rows.flat;
  PGO_TRY(StandardizedRows standardized,
          standardize(fleet.rows, {strata, strata}, true, request.standardize, diagnostics));
  fleet.rows = std::move(standardized.rows);
  return ok();
}

}  // namespace

Result<std::vector<SplitVerdicts>> judge_splits(const Rows& rows,
                                                const CalibrationRequest& request) {
  const Fleet fleet{rows, request.compared.measure, request.limits};
  const std::vector<SplitKind> kinds = split_kinds(rows.flat[0]);
  if (kinds.empty())
    return fail(ErrorKind::kEmpty, "the fleet has " +
                                       format_count(count_active(rows.flat[0]), "profile") +
                                       " with samples; to split it, at least " +
                                       std::to_string(kMinSplitMembers) + " are needed");
  std::vector<SplitVerdicts> all;
  for (SplitKind kind : kinds) {
    PGO_TRY(SplitVerdicts verdicts, judge_kind(kind, fleet, request));
    all.push_back(verdicts);
  }
  return all;
}

Result<Calibration> calibrate(const CalibrationRequest& request) {
  PGO_CHECK(check_calibration(request));
  Calibration result;
  PGO_TRY(SideRows fleet, read_fleet(request.compared, result.diagnostics));
  if (request.compared.measure == verify::Measure::kPerUnit)
    PGO_CHECK(add_units(request.compared, fleet, result.diagnostics));
  PGO_TRY(result.splits, judge_splits(fleet.rows, request));
  result.members = std::move(fleet.rows.flat[0].members);
  result.limits = request.limits;
  return result;
}

}  // namespace pgo
