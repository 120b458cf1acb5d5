#include "tests/data/simulated_release.h"

namespace pgo {
namespace {

constexpr size_t kChanged = 1;  // the function

Result<DiffResult> compare_sides(const verify::Side& before, const verify::Side& after,
                                 verify::Measure measure) {
  const verify::CompareOptions options{.measure = measure};
  PGO_TRY(verify::Comparison rows, verify::compare(before, after, options));
  DiffResult comparison;
  comparison.measure = measure;
  comparison.basis = rows.basis;
  for (size_t row = 0; row < rows.rows.size(); row++)
    comparison.rows.push_back(
        {{.name = "f" + std::to_string(row)}, rows.rows[row], rows.rows[row]});
  if (measure == verify::Measure::kPerUnit) {
    PGO_TRY(verify::Comparison total, verify::compare(verify::everything(before.members),
                                                      verify::everything(after.members), options));
    comparison.total = total.rows[0];
  }
  return comparison;
}

double samples_of(const verify::Side& side) {
  double samples = 0;
  for (const verify::Member& member : side.members) samples += member.samples;
  return samples;
}

verify::Side all_together(std::span<const verify::Side> sides) {
  verify::Side all;
  std::vector<uint32_t> first;
  for (const verify::Side& side : sides) {
    first.push_back(static_cast<uint32_t>(all.members.size()));
    all.members.insert(all.members.end(), side.members.begin(), side.members.end());
  }
  for (size_t row = 0; row < sides[0].rows.size(); row++) {
    for (size_t side = 0; side < sides.size(); side++)
      for (verify::Cell cell : sides[side].rows[row]) {
        cell.member += first[side];
        all.rows.push(cell);
      }
    all.rows.end_list();
  }
  return all;
}

}  // namespace

Result<VerifyResult> judge_fleet(const verify::Fleet& fleet, verify::Measure measure,
                                 const Limits& limits) {
  PGO_TRY(DiffResult comparison, compare_sides(fleet.before, fleet.after, measure));
  return judge_release(std::move(comparison), limits, false);
}

verify::Side changed_side(const verify::Side& side, const SideChange& change) {
  verify::Side changed;
  changed.members = side.members;
  for (const verify::Cell& cell : side.rows[kChanged]) {
    changed.members[cell.member].weight += (change.function - 1) * cell.value;
    changed.members[cell.member].samples += (change.function - 1) * cell.samples;
  }
  const double factor = change.cost * change.traffic;
  for (verify::Member& member : changed.members) {
    member.weight *= factor;
    member.samples *= factor;
    member.units *= change.traffic;
  }
  for (size_t row = 0; row < side.rows.size(); row++) {
    const double of_row = row == kChanged ? factor * change.function : factor;
    for (verify::Cell cell : side.rows[row]) {
      cell.value *= of_row;
      cell.samples = static_cast<float>(cell.samples * of_row);
      changed.rows.push(cell);
    }
    changed.rows.end_list();
  }
  return changed;
}

Result<EarlierFleets> EarlierFleets::compare(std::span<const verify::Side> earlier,
                                             const verify::Side& after, verify::Measure measure) {
  EarlierFleets fleets;
  fleets.measure_ = measure;
  for (const verify::Side& before : earlier) {
    PGO_TRY(DiffResult comparison, compare_sides(before, after, measure));
    fleets.spread_.add(comparison);
  }
  fleets.together_ = all_together(earlier);
  return fleets;
}

Result<VerifyResult> EarlierFleets::judge(const verify::Side& after, const Limits& limits) const {
  PGO_TRY(DiffResult comparison, compare_sides(together_, after, measure_));
  comparison.sides[0].samples = samples_of(together_);
  comparison.sides[1].samples = samples_of(after);
  ReleaseSpread spread = spread_;
  const Limits of_spread = spread_limits(spread, comparison, limits);
  const std::map<RowKey, double> own = function_limits(comparison, of_spread, spread);
  return judge_release(std::move(comparison), of_spread, false, own);
}

}  // namespace pgo
