#include "pgo/verdict/earlier_releases.h"

#include <cmath>
#include <utility>

#include "pgo/verdict/limits.h"
#include "pgo/verify/distribution.h"

namespace pgo {
namespace {

double deviation_of_logs(std::span<const double> costs) {
  const auto count = static_cast<double>(costs.size());
  double mean = 0, squares = 0;
  for (double cost : costs) mean += std::log(cost) / count;
  for (double cost : costs) squares += (std::log(cost) - mean) * (std::log(cost) - mean);
  return std::sqrt(squares / (count - 1));
}

DiffRequest request_of(const DiffRequest& compared, const EarlierRelease& release) {
  DiffRequest request = compared;
  request.sides[0] = release.inputs;
  request.units[0] = release.units;
  request.member_units[0] = release.member_units;
  request.wants_graph = request.wants_merged = false;
  return request;
}

}  // namespace

double accepted_growth(std::span<const double> costs) {
  const auto count = static_cast<double>(costs.size());
  const double t = verify::student_t_quantile(kVerdictLevel, count - 1);
  return std::expm1(t * deviation_of_logs(costs) * std::sqrt(1 + 1 / count));
}

Result<ReleaseSpread> measure_spread(const DiffRequest& compared,
                                     const std::vector<EarlierRelease>& releases) {
  if (releases.size() < kMinEarlierReleases)
    return fail(ErrorKind::kUsage,
                std::to_string(releases.size()) +
                    " earlier releases do not show how much releases differ; name one, or at "
                    "least " +
                    std::to_string(kMinEarlierReleases));
  ReleaseSpread spread;
  spread.releases = releases.size();
  std::vector<double> costs;
  std::map<RowKey, std::vector<double>> of_functions;
  for (const EarlierRelease& release : releases) {
    PGO_TRY(DiffResult result, diff(request_of(compared, release)));
    for (const DiffSide& side : result.sides) spread.one_program &= side.programs.size() == 1;
    if (result.total) costs.push_back(result.total->rate_a);
    for (const DiffRow& row : result.rows)
      if (row.flat.rate_a > 0) of_functions[row.key].push_back(row.flat.rate_a);
  }
  if (!costs.empty()) {
    spread.deviation = deviation_of_logs(costs);
    spread.growth = accepted_growth(costs);
  }
  for (const auto& [key, rates] : of_functions)
    if (rates.size() >= kMinEarlierReleases) spread.of_functions[key] = accepted_growth(rates);
  return spread;
}

void compare_with_all(const std::vector<EarlierRelease>& releases, DiffRequest& compared) {
  compared.sides[0].clear();
  compared.units[0] = 0;
  // By member and stratum: a host may have profiles of several releases.
  std::map<std::pair<std::string, std::string>, double> units;
  for (const EarlierRelease& release : releases) {
    compared.sides[0].insert(compared.sides[0].end(), release.inputs.begin(), release.inputs.end());
    compared.units[0] += release.units;
    for (const MemberUnits& one : release.member_units)
      units[{one.member, one.stratum}] += one.units;
  }
  compared.member_units[0].clear();
  for (const auto& [key, its_units] : units)
    compared.member_units[0].push_back({key.first, its_units, key.second});
}

}  // namespace pgo
