#include "pgo/verdict/earlier_releases.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "pgo/base/portable_math.h"
#include "pgo/profile/thresholds.h"
#include "pgo/verify/distribution.h"
#include "pgo/verify/moderated_variance.h"

namespace pgo {
namespace {

struct Logarithms {
  double mean = 0, deviation = 0;
  size_t count = 0;

  explicit Logarithms(std::span<const double> values) : count(values.size()) {
    for (double value : values) mean += portable_log(value) / static_cast<double>(count);
    double squares = 0;
    for (double value : values)
      squares += (portable_log(value) - mean) * (portable_log(value) - mean);
    deviation = std::sqrt(squares / freedom());
  }

  double freedom() const { return static_cast<double>(count) - 1; }
  verify::Variance variance() const { return {deviation * deviation, freedom()}; }

  // The upper bound of the next value, if the logarithms have this variance.
  double bound(const verify::Variance& its, double error) const {
    const double t = verify::student_t_quantile(1 - error, its.freedom);
    return portable_exp_or_infinity(
        mean + t * std::sqrt(its.value * (1 + 1 / static_cast<double>(count))));
  }
};

DiffRequest request_of(const DiffRequest& compared, const EarlierRelease& release) {
  DiffRequest request = compared;
  request.sides[0] = release.inputs;
  request.units[0] = release.units;
  request.member_units[0] = release.member_units;
  request.wants_graph = request.wants_merged = false;
  return request;
}

// Of most profiles; the first of equals.
std::string main_program(const DiffSide& side) {
  auto most = std::max_element(side.programs.begin(), side.programs.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == side.programs.end() ? std::string() : most->first;
}

// Takes all releases together as the before side.
class Together {
 public:
  Result<void> add(const EarlierRelease& release, const DiffResult& result) {
    inputs_.insert(inputs_.end(), release.inputs.begin(), release.inputs.end());
    const DiffSide& side = result.sides[0];
    for (size_t m = 0; m < side.members.size(); m++) {
      if (!seen_.insert(side.names[m]).second)
        return fail(ErrorKind::kUsage, side.names[m] + ": is in two of the earlier releases");
      if (result.standardized_by.empty() && side.members[m].units > 0)
        units_.push_back({side.names[m], side.members[m].units});
    }
    units_.insert(units_.end(), side.stratum_units.begin(), side.stratum_units.end());
    releases_++;
    for (const StratumShare& stratum : result.mix) {
      if (stratum.shares[1] < thresholds::kNegligibleStratum) continue;
      releases_with_[stratum.value] += stratum.mix > 0 ? 1 : 0;
    }
    programs_.insert(main_program(side));
    after_ = main_program(result.sides[1]);
    return ok();
  }

  // Costs of releases can be compared if all have the same mix of work.
  Result<void> check_mix(const std::string& label) const {
    for (const auto& [stratum, count] : releases_with_)
      if (count > 0 && count < releases_)
        return fail(ErrorKind::kUsage,
                    "\xFF{standardize} " + label + ": only " + std::to_string(count) + " of " +
                        std::to_string(releases_) + " earlier releases have " + label + " " +
                        stratum +
                        ", so their costs would be those of different mixes; leave out "
                        "the releases without it, or choose values that all have (INPUT#" +
                        label + "=PATTERN)");
    return ok();
  }

  void compare_with(DiffRequest& compared) && {
    compared.sides[0] = std::move(inputs_);
    compared.member_units[0] = std::move(units_);
    programs_.insert(after_);
    if (programs_.contains("")) return;  // not known of all
    compared.same_program = {std::move(programs_), std::move(after_)};
  }

 private:
  std::vector<std::string> inputs_;
  std::vector<MemberUnits> units_;
  std::set<std::string> seen_, programs_;
  std::string after_;
  size_t releases_ = 0;
  std::map<std::string, size_t> releases_with_;  // each stratum of the release after
};

// Whose rates are a share of everything.
double everything_of(const DiffResult& comparison, size_t side) {
  if (!comparison.total) return 1;
  return side == 0 ? comparison.total->rate_a : comparison.total->rate_b;
}

bool is_large(const DiffRow& row, const DiffResult& comparison, const Limits& limits) {
  return row.flat.rate_a >= limits.function_share * everything_of(comparison, 0) ||
         row.flat.rate_b >= limits.function_share * everything_of(comparison, 1);
}

// Of a unit of work of the earlier releases together. Empty: there are only shares, or too few
// releases to tell how much their costs differ.
std::optional<double> cost_before(const ReleaseSpread& spread, const DiffResult& comparison) {
  if (spread.costs.size() < kMinEarlierReleases || !comparison.total ||
      comparison.total->rate_a <= 0)
    return std::nullopt;
  return comparison.total->rate_a;
}

// By how much a release may cost more than the earlier ones together: 0 of shares.
double cost_growth(const ReleaseSpread& spread, const DiffResult& comparison) {
  const std::optional<double> before = cost_before(spread, comparison);
  if (!before) return 0;
  return prediction_bound(spread.costs, 1 - kVerdictLevel) / *before - 1;
}

}  // namespace

double prediction_bound(std::span<const double> costs, double error) {
  const Logarithms logs(costs);
  return logs.bound(logs.variance(), error);
}

void ReleaseSpread::add(const DiffResult& comparison) {
  releases++;
  if (comparison.total && comparison.total->rate_a > 0) costs.push_back(comparison.total->rate_a);
  if (costs.size() > 1) deviation = Logarithms(costs).deviation;
  for (const DiffRow& row : comparison.rows)
    if (row.flat.rate_a > 0)
      of_functions[row.key].push_back(row.flat.rate_a / everything_of(comparison, 0));
}

Result<ReleaseSpread> measure_spread(const std::vector<EarlierRelease>& releases,
                                     DiffRequest& compared) {
  if (releases.size() < kMinEarlierReleases)
    return fail(ErrorKind::kUsage,
                std::to_string(releases.size()) +
                    " earlier releases do not show how much releases differ; name one, or at "
                    "least " +
                    std::to_string(kMinEarlierReleases) +
                    " (the files of one release are a directory, a glob in quotes or @LIST)");
  compared.common_mix = CommonMix::kSecond;
  ReleaseSpread spread;
  Together together;
  for (const EarlierRelease& release : releases) {
    PGO_TRY(DiffResult result, diff(request_of(compared, release)));
    PGO_CHECK(together.add(release, result));
    spread.add(result);
  }
  PGO_CHECK(together.check_mix(compared.standardize));
  std::move(together).compare_with(compared);
  return spread;
}

Limits spread_limits(const ReleaseSpread& spread, const DiffResult& comparison, Limits limits) {
  const std::optional<double> before = cost_before(spread, comparison);
  if (!before) return limits;
  const double highest = *std::max_element(spread.costs.begin(), spread.costs.end());
  limits.pass_growth = std::max(limits.growth, highest / *before - 1);
  limits.growth = std::max(*limits.pass_growth, cost_growth(spread, comparison));
  return limits;
}

std::map<RowKey, double> function_limits(const DiffResult& comparison, const Limits& limits,
                                         const ReleaseSpread& spread) {
  size_t tested = 0;
  std::vector<const DiffRow*> rows;  // whose releases are known
  std::vector<Logarithms> shares;
  std::vector<verify::Variance> variances;
  for (const DiffRow& row : comparison.rows) {
    if (!is_large(row, comparison, limits)) continue;
    tested++;
    auto of_row = spread.of_functions.find(row.key);
    if (row.flat.rate_a <= 0 || of_row == spread.of_functions.end() ||
        of_row->second.size() < kMinEarlierReleases)
      continue;
    rows.push_back(&row);
    shares.emplace_back(of_row->second);
    variances.push_back(shares.back().variance());
  }
  const verify::VariancePrior prior = verify::fit_variance_prior(variances);
  const double of_cost = 1 + cost_growth(spread, comparison);
  std::map<RowKey, double> growth;
  for (size_t i = 0; i < rows.size(); i++) {
    const double before = rows[i]->flat.rate_a / everything_of(comparison, 0);
    const double bound = shares[i].bound(verify::moderate(variances[i], prior),
                                         kFunctionError / static_cast<double>(tested));
    const double own = of_cost * bound / before - 1;
    if (own > limits.function_growth) growth[rows[i]->key] = own;
  }
  return growth;
}

}  // namespace pgo
