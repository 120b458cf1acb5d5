#include "pgo/verdict/share_growth.h"

#include <algorithm>
#include <tuple>

namespace pgo {

ShareGrowth::ShareGrowth(const std::vector<DiffRow>& rows) {
  for (size_t i = 0; i < rows.size(); i++) {
    const double before = rows[i].flat.rate_a, after = rows[i].flat.rate_b;
    if (before > 0 && after > 0) by_ratio_.push_back({after / before, after, i});
  }
  std::sort(by_ratio_.begin(), by_ratio_.end(), [](const Growth& a, const Growth& b) {
    return std::tie(a.ratio, a.row) < std::tie(b.ratio, b.row);
  });
}

double ShareGrowth::of_others(size_t row) const {
  double all = 0;
  for (const Growth& growth : by_ratio_)
    if (growth.row != row) all += growth.share;
  double below = 0;
  for (const Growth& growth : by_ratio_) {
    if (growth.row == row) continue;
    below += growth.share;
    if (2 * below >= all) return growth.ratio;
  }
  return 1;
}

size_t find_most_fallen(const std::vector<DiffRow>& rows) {
  auto fall = [](const DiffRow& row) { return row.flat.rate_a - row.flat.rate_b; };
  return static_cast<size_t>(
      std::max_element(rows.begin(), rows.end(),
                       [&](const DiffRow& a, const DiffRow& b) { return fall(a) < fall(b); }) -
      rows.begin());
}

}  // namespace pgo
