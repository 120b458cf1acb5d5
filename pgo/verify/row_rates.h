// RowRates: one row of both sides, by cluster: rates, how many samples those are worth, and how
// much clusters differ.
//
// A side's relative rate is sum a_c y_c, with the clusters' weights a and relative rates y. If
// y_c varies by sigma^2 f_c around its mean, the sum varies by sigma^2 F, F = sum a_c^2 f_c. With
// e_c = y_c - sum a y, what the clusters contribute is
//
//     Q = sum a_c^2 e_c^2,    E[Q] = sigma^2 sum a_c^2 (f_c (1 - 2 a_c) + F)
//
// and Q / E[Q] estimates sigma^2. This is the linearised variance of a ratio of sums, without its
// bias in small groups (as CR2 of Bell and McCaffrey 2002): where the model of f is right it is
// unbiased, and where loads and costs depend on each other (a busy host is a slow one) it still is
// consistent. A plain mean of e_c^2 / f_c has more degrees of freedom, but is wrong there. Q's
// degrees of freedom are Satterthwaite's, 2 E[Q]^2 / Var(Q), for normal y.
#pragma once

#include <span>
#include <vector>

#include "pgo/verify/member_design.h"
#include "pgo/verify/moderated_variance.h"
#include "pgo/verify/variance_trend.h"

namespace pgo::verify {

struct SideRow {
  double rate = 0;
  double samples = 0;         // as counted
  std::vector<double> rates;  // by cluster
};

struct RowRates {
  SideRow a, b;
  // How many samples of mean weight are worth one, as this row's differ in weight; 1: all alike.
  double heavier = 1;
  double pooled = 0;  // the rate if nothing had changed
  double room = 1;    // what of a relative change shows in the rate (comparison.h)
};

// Reads rows of one pair of sides; all must outlive this. Not for several threads at once.
class RowReader {
 public:
  RowReader(const Side& a, const Side& b, const MemberDesign& design, Measure measure);

  // Valid until the next call.
  const RowRates& read(size_t row);
  // How much the clusters of the row read last differ, in units of what `trend` expects.
  Variance variance(const VarianceTrend& trend) const;
  // The same in relative units, and what samples alone would give.
  TrendPoint trend_point() const;

 private:
  // Of a group of clusters that vary alike: what each contributes to the difference of rates,
  // squared and added up, and what is expected of that.
  struct Scatter {
    double squares = 0, expected = 0, poisson = 0, product = 0;

    void add_group(std::span<const double> values, std::span<const double> poisson_of,
                   const std::vector<Cluster>& clusters, const VarianceTrend& trend);
    double freedom() const { return product > 0 ? expected * expected / product : 0; }
  };

  void read_side(const Side& side, const SideDesign& design, size_t row, SideRow& into);
  // Of a cluster whose rate is expected to be `rate`.
  double poisson_of(const Cluster& cluster, double rate) const {
    return row_.heavier / (row_.room * rate * cluster.exposure);
  }
  Scatter scatter(const VarianceTrend& trend) const;

  const Side &a_, &b_;
  const MemberDesign& design_;
  Measure measure_;
  std::vector<double> values_, samples_;  // by member
  double nominal_ = 0;                    // samples, if all weighed the same
  RowRates row_;
};

}  // namespace pgo::verify
