#include "pgo/verdict/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/base/parallel.h"
#include "pgo/verdict/release_verdict.h"

namespace pgo {
namespace {

constexpr double kTolerated = .025;  // part of the splits that may fail by cost, or by functions
constexpr double kMostGrowth = 100;  // the largest limit of functions that is tried

using Group = std::vector<uint32_t>;  // members, by index

struct Fleet {
  const Rows& rows;
  verify::Measure measure;
  Limits limits;
};

std::vector<uint32_t> active_members(const verify::Side& side) {
  std::vector<uint32_t> members;
  for (uint32_t m = 0; m < side.members.size(); m++)
    if (side.members[m].weight > 0) members.push_back(m);
  return members;
}

// Members by host; a member without a host, and of SplitKind::kProfiles each, is a group of its
// own.
std::vector<Group> groups_of(const verify::Side& side, SplitKind kind) {
  std::map<std::string, Group> hosts;
  std::vector<Group> groups;
  for (uint32_t m : active_members(side)) {
    if (side.members[m].host.empty() || kind == SplitKind::kProfiles)
      groups.push_back({m});
    else
      hosts[side.members[m].host].push_back(m);
  }
  for (auto& [host, members] : hosts) groups.push_back(std::move(members));
  return groups;
}

// The same order on every machine, unlike std::shuffle's.
template <typename T>
void shuffle(std::vector<T>& items, std::mt19937_64& random) {
  for (size_t i = items.size(); i > 1; i--) std::swap(items[i - 1], items[random() % i]);
}

// Which half each member is in; 2: none.
using Halves = std::vector<uint8_t>;
constexpr uint8_t kNoHalf = 2;

Halves split_groups(std::vector<Group> groups, size_t members, std::mt19937_64& random) {
  Halves halves(members, kNoHalf);
  shuffle(groups, random);
  for (size_t i = 0; i < groups.size(); i++)
    for (uint32_t member : groups[i]) halves[member] = i < groups.size() / 2 ? 0 : 1;
  return halves;
}

Halves split_within(std::vector<Group> groups, size_t members, std::mt19937_64& random) {
  Halves halves(members, kNoHalf);
  for (Group& group : groups) {
    shuffle(group, random);
    for (size_t i = 0; i < group.size() / 2 * 2; i++) halves[group[i]] = i % 2;
  }
  return halves;
}

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

Result<SplitVerdicts> judge_splits(SplitKind kind, const Fleet& fleet,
                                   const CalibrationRequest& request) {
  const verify::Side& side = fleet.rows.flat[0];
  const std::vector<Group> groups = groups_of(side, kind);
  const auto judge = [&](size_t i) {
    std::mt19937_64 random(i + 1);
    const Halves halves = kind == SplitKind::kWithinHosts
                              ? split_within(groups, side.members.size(), random)
                              : split_groups(groups, side.members.size(), random);
    return judge_split(fleet, halves);
  };
  std::vector<SplitVerdict> verdicts;
  for (const Result<SplitVerdict>& one :
       parallel_map(request.splits, request.compared.jobs, judge)) {
    if (!one) return fail(one.error());
    verdicts.push_back(*one);
  }
  return sum_up(kind, fleet, verdicts);
}

// The kinds of splits that this fleet is large enough for.
std::vector<SplitKind> kinds_of(const verify::Side& side) {
  const std::vector<Group> hosts = groups_of(side, SplitKind::kHosts);
  const auto divisible = static_cast<size_t>(std::count_if(
      hosts.begin(), hosts.end(), [](const Group& group) { return group.size() > 1; }));
  std::vector<SplitKind> kinds;
  if (hosts.size() >= kMinSplitMembers) kinds.push_back(SplitKind::kHosts);
  if (divisible >= verify::kMinPairs) kinds.push_back(SplitKind::kWithinHosts);
  if (kinds.empty() && active_members(side).size() >= kMinSplitMembers)
    kinds.push_back(SplitKind::kProfiles);
  return kinds;
}

}  // namespace

Result<Calibration> calibrate(const CalibrationRequest& request) {
  if (request.compared.units[0] > 0)
    return fail(
        ErrorKind::kUsage,
        "a total of units of work does not tell how much each host did, so hosts with more "
        "load would seem expensive; give the units of each host (\xFF{units-before} @FILE)");
  if (!request.compared.standardize.empty() && request.compared.measure == verify::Measure::kShare)
    return fail(ErrorKind::kUsage, "\xFF{standardize} of one fleet needs units of work");
  DiffRequest compared = request.compared;
  compared.sides[1] = compared.sides[0];
  compared.units[1] = compared.units[0];
  compared.member_units[1] = compared.member_units[0];
  compared.wants_rows = true;
  PGO_TRY(DiffResult whole, diff(compared));
  const Fleet fleet{whole.member_rows, compared.measure, request.limits};
  Calibration result;
  const std::vector<SplitKind> kinds = kinds_of(fleet.rows.flat[0]);
  if (kinds.empty())
    return fail(ErrorKind::kEmpty,
                "the fleet has " +
                    format_count(active_members(fleet.rows.flat[0]).size(), "profile") +
                    " with samples; to split it, at least " + std::to_string(kMinSplitMembers) +
                    " are needed");
  for (SplitKind kind : kinds) {
    PGO_TRY(SplitVerdicts verdicts, judge_splits(kind, fleet, request));
    result.splits.push_back(verdicts);
  }
  result.fleet = std::move(whole.sides[0]);
  result.limits = request.limits;
  result.diagnostics = std::move(whole.diagnostics);
  return result;
}

}  // namespace pgo
