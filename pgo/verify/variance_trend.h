// VarianceTrend: how much a row differs between hosts, by how many samples it has.
//
// A row's relative variance from host to host is `between`, as hosts differ, and `sampling` times
// what equal independent samples of that number would have: 1 if they were independent, more when
// samples of one host come in bursts. Rows with many samples show the first, rows with few the
// second. The same model as that of DESeq's dispersions (Anders and Huber 2010, "parametric fit"):
// a generalised linear model of the gamma family with identity link.
#pragma once

#include <span>

namespace pgo::verify {

struct VarianceTrend {
  double between = 0;
  double sampling = 1;  // at least 1
  // The inverse of the information of the two, per degree of freedom of a point.
  double of_between = 0, of_both = 0, of_sampling = 0;
  double point_freedom = 0;  // 0: not known

  // For a cell whose samples alone would have the relative variance `poisson`, 1 / their number.
  double at(double poisson) const { return between + sampling * poisson; }
  // How many degrees of freedom at(poisson) is known with. Few rows have many samples, so `between`
  // may be badly known although thousands of thin rows agree on `sampling`. 0: not known.
  double freedom_at(double poisson) const;
};

// A row's variance between members, with `freedom`, and what samples alone would make it. Without
// freedom, nothing was seen of how the row varies, and the point does not count.
struct TrendPoint {
  double variance = 0;
  double poisson = 0;
  double freedom = 0;
};

// Few points give `between` only. O(points).
VarianceTrend fit_variance_trend(std::span<const TrendPoint> points);

}  // namespace pgo::verify
