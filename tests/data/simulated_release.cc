#include "tests/data/simulated_release.h"

namespace pgo {

Result<VerifyResult> judge_fleet(const verify::Fleet& fleet, verify::Measure measure,
                                 const Limits& limits) {
  const verify::CompareOptions options{.measure = measure};
  PGO_TRY(verify::Comparison rows, verify::compare(fleet.before, fleet.after, options));
  DiffResult comparison;
  comparison.measure = measure;
  comparison.basis = rows.basis;
  for (size_t row = 0; row < rows.rows.size(); row++)
    comparison.rows.push_back(
        {{.name = "f" + std::to_string(row)}, rows.rows[row], rows.rows[row]});
  if (measure == verify::Measure::kPerUnit) {
    PGO_TRY(verify::Comparison total,
            verify::compare(verify::everything(fleet.before.members),
                            verify::everything(fleet.after.members), options));
    comparison.total = total.rows[0];
  }
  return judge_release(std::move(comparison), limits, false);
}

}  // namespace pgo
