#include "pgo/diff/diff_row.h"

#include <algorithm>
#include <cmath>

namespace pgo {
namespace {

double larger_rate(const verify::RowComparison& row) { return std::max(row.rate_a, row.rate_b); }

}  // namespace

bool is_shown_before(const DiffRow& a, const DiffRow& b) {
  double by_flat = std::abs(a.flat.difference()) - std::abs(b.flat.difference());
  if (by_flat != 0) return by_flat > 0;
  double by_cumulative = std::abs(a.cumulative.difference()) - std::abs(b.cumulative.difference());
  if (by_cumulative != 0) return by_cumulative > 0;
  if (larger_rate(a.cumulative) != larger_rate(b.cumulative))
    return larger_rate(a.cumulative) > larger_rate(b.cumulative);
  return a.key < b.key;
}

}  // namespace pgo
